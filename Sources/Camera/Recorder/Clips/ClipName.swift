package import Foundation
package import Printers

/// The name of a clip: when its event was, in UTC, and which event it was, such as `20261127T231500Z-print_failed`.
///
/// The names of one printer in alphabetical order are its clips, oldest first.
package struct ClipName: Sendable, Hashable, Comparable, CustomStringConvertible {
    package let printer: PrinterID
    package let description: String

    package init(_ printer: PrinterID, event: String, at time: Date) {
        self.printer = printer
        description = "\(time.formatted(Self.style))-\(event)"
    }

    /// Nil for a text that is no such name.
    package init?(_ printer: PrinterID, _ text: some StringProtocol) {
        let parts = text.utf8.split(separator: UInt8(ascii: "-"), maxSplits: 1, omittingEmptySubsequences: false)
        let letters = UInt8(ascii: "a")...UInt8(ascii: "z")
        guard parts.count == 2, (1...40).contains(parts[1].count),
            parts[1].allSatisfy({ letters.contains($0) || $0 == UInt8(ascii: "_") }), let time = Self.time(of: text)
        else { return nil }
        self.init(printer, event: String(text.dropFirst(17)), at: time)
        guard description == text else { return nil }
    }

    package var event: String { String(description.dropFirst(17)) }
    package var time: Date { Self.time(of: description) ?? .distantPast }

    /// Where the page's port answers with the clip and its picture.
    package var clipPath: String { "/camera/\(printer)/clips/\(self).mp4" }
    package var picturePath: String { "/camera/\(printer)/clips/\(self).jpg" }

    package static func < (one: ClipName, other: ClipName) -> Bool {
        (one.description, one.printer.description) < (other.description, other.printer.description)
    }

    private static let style = Date.ISO8601FormatStyle(dateSeparator: .omitted, timeSeparator: .omitted, timeZone: .gmt)

    private static func time(of text: some StringProtocol) -> Date? { try? style.parse(String(text.prefix(16))) }
}
