import Foundation
import JSON
import Printers

@testable import PrinterReport

/// Messages of a printer, in a file of `Reports`, with what must be known after each.
struct RecordedReport: CustomStringConvertible {
    /// A message, the members of the state after it by their paths, and the events that it causes.
    struct Step {
        var message: [UInt8]
        /// The time since the message before.
        var seconds: Double
        var expected: [String: JSONValue]
        var events: [String]
    }

    let description: String
    let family: PrinterFamily?
    let steps: [Step]

    static let names = ["p1s-print", "a1mini-ends", "h2d-nozzles", "x1c-damaged", "h2c-parts", "a1-spools"]

    init(_ name: String) throws {
        let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        let data = try Data(contentsOf: folder.appending(path: "Reports/\(name).json"))
        let file = try JSONValue(json: data)
        description = name
        let model = file["model"]?.stringValue.flatMap(PrinterModel.init)
        family = model.flatMap { PrinterFamily($0, serial: "") }
        steps = (file["messages"]?.arrayValue ?? []).map { step in
            Step(
                message: (step["say"] ?? .null).jsonBytes(),
                seconds: step["after"]?.doubleValue ?? 2,
                expected: step["expect"]?.objectValue ?? [:],
                events: (step["events"]?.arrayValue ?? []).compactMap(\.stringValue)
            )
        }
    }
}

extension PrintEvent {
    /// The event in one line.
    var line: String {
        let place = filament.map { filament in
            let tray = [filament.unit, filament.tray.id].compactMap(\.self).map(String.init).joined(separator: "/")
            return "\(tray) \(filament.tray.values["type"]?.stringValue ?? "?")"
        }
        return [kind.rawValue, reason, fault?.code, place].compactMap(\.self).joined(separator: " ")
    }
}
