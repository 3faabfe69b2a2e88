import Foundation
import RTSP
import StoredSettings
import Synchronization

/// Keeps secrets out of text that leaves the process: every secret that it was told of, and the user info of any URL.
final class Redaction: Sendable {
    static let mask = "********"
    /// Shorter texts are parts of too many words.
    private static let shortest = 4

    /// A shorter secret of letters alone, such as 'mqtt', may be an ordinary word: it is masked where it stands as a value.
    private static let longestWord = 7

    /// By their first bytes, so that thousands of them cost a line no more than a few.
    private let secrets = Mutex<[UInt32: Set<[UInt8]>]>([:])

    /// Records a secret to be hidden, as it is and as it stands in a URL and in JSON.
    func learn(_ secret: String) {
        guard secret.count >= Self.shortest else { return }
        // An access code of digits stands everywhere as it is, and a farm has thousands.
        let isPlain = secret.unicodeScalars.allSatisfy(CharacterSet.unreserved.contains)
        let forms =
            isPlain
            ? [secret]
            : [secret, secret.addingPercentEncoding(withAllowedCharacters: .unreserved), secret.jsonEscaped]
        secrets.withLock { secrets in
            for form in forms.compactMap({ $0.map { Array($0.utf8) } }) {
                secrets[Self.beginning(form[...]), default: []].insert(form)
            }
        }
    }

    /// The text without any of them.
    func apply(_ text: String) -> String {
        let text = masked(text)
        return text.contains("://") ? text.replacing(/:\/\/[^\/@\s"]*:[^\s"]*@/, with: "://\(Self.mask)@") : text
    }

    private func masked(_ text: String) -> String {
        let bytes = Array(text.utf8)
        guard bytes.count >= Self.shortest else { return text }
        var (result, written, end) = ([UInt8](), 0, 0)
        secrets.withLock { secrets in
            for start in 0...bytes.count - Self.shortest {
                guard let known = secrets[Self.beginning(bytes[start...])],
                    let length = known.lazy.filter({ bytes[start...].starts(with: $0) }).map(\.count)
                        .filter({ Self.isValue(bytes, start..<start + $0) }).max()
                else { continue }
                if start >= end {
                    result += bytes[written..<start] + Self.mask.utf8
                }
                // One that begins with another, or within it, must not leave its end behind.
                end = max(end, start + length)
                written = end
            }
        }
        return end == 0 ? text : String(decoding: result + bytes[written...], as: UTF8.self)
    }

    /// False for a short word that is a part of another word, a scheme of a URL or the section of a key, such as `mqtt.url`.
    private static func isValue(_ bytes: [UInt8], _ range: Range<Int>) -> Bool {
        func isLetter(_ byte: UInt8) -> Bool { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20) }
        func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }
        guard range.count <= longestWord, bytes[range].allSatisfy(isLetter) else { return true }
        let (before, after) = (bytes[..<range.lowerBound].last, bytes[range.upperBound...])
        let isPart = [before, after.first].contains { $0.map { isLetter($0) || isDigit($0) || $0 >= 0x80 } == true }
        // 'mqtt://' and 'mqtt.url' are what messages speak of.
        let isName = after.first == UInt8(ascii: ".") && after.dropFirst().first.map(isLetter) == true
        return !isPart && !isName && !after.starts(with: "://".utf8)
    }

    private static func beginning(_ bytes: ArraySlice<UInt8>) -> UInt32 {
        bytes.prefix(shortest).reduce(0) { $0 << 8 | UInt32($1) }
    }
}
