import CameraProtocols
import Platform
import StoredSettings
import Synchronization

/// Keeps secrets out of text that leaves the process: every secret that it was told of, and the user info of any URL.
///
/// The time for a line grows only with its length, also if a stranger wrote the line.
final class Redaction: Sendable {
    static let mask = "********"
    /// Shorter texts are parts of too many words.
    private static let shortest = 4

    /// Up to this length, a secret of letters alone may be a word ('mqtt'): it is masked only as a value.
    private static let longestWord = 7

    /// In lower case, because a server may repeat a secret in any case; by their first bytes and their lengths, so that a
    /// line costs the same with thousands of secrets as with a few, even if all begin alike.
    private let secrets = Mutex<[UInt32: [Int: Set<ArraySlice<UInt8>>]]>([:])

    /// Records a secret to be hidden, as it is and as it stands in a URL and in JSON.
    func learn(_ secret: String) {
        guard secret.count >= Self.shortest else { return }
        let forms: Set = [secret, secret.percentEncoded(), secret.jsonEscaped]
        secrets.withLock { secrets in
            for form in forms.map({ $0.utf8.map(ASCII.lowercased)[...] }) {
                secrets[Self.beginning(form), default: [:]][form.count, default: []].insert(form)
            }
        }
    }

    /// The text without any of them.
    func apply(_ text: String) -> String {
        let bytes = Array(text.utf8)
        guard bytes.count >= Self.shortest else { return text }
        let hidden = Self.merged(secretRanges(in: bytes) + Self.userInfoRanges(in: bytes))
        guard !hidden.isEmpty else { return text }
        var (result, written) = ([UInt8](), 0)
        for range in hidden {
            result += bytes[written..<range.lowerBound] + Self.mask.utf8
            written = range.upperBound
        }
        return String(decoding: result + bytes[written...], as: UTF8.self)
    }

    private func secretRanges(in bytes: [UInt8]) -> [Range<Int>] {
        let small = bytes.map(ASCII.lowercased)
        var ranges: [Range<Int>] = []
        var beginning = Self.beginning(small[..<(Self.shortest - 1)])
        secrets.withLock { secrets in
            for start in 0...bytes.count - Self.shortest {
                beginning = beginning << 8 | UInt32(small[start + Self.shortest - 1])
                guard let known = secrets[beginning] else { continue }
                let hidden = known.keys.lazy.filter { start + $0 <= small.count }.map { start..<start + $0 }
                    .filter { known[$0.count]?.contains(small[$0]) == true && Self.isValue(bytes, $0) }
                if let longest = hidden.max(by: { $0.count < $1.count }) { ranges.append(longest) }
            }
        }
        return ranges
    }

    /// The user infos of URLs: after `://`, with a colon in it, up to the last `@` before a blank or a quotation mark.
    private static func userInfoRanges(in bytes: [UInt8]) -> [Range<Int>] {
        var ranges: [Range<Int>] = []
        var word = 0
        while word < bytes.count {
            let end = bytes[word...].firstIndex { $0 <= 0x20 || $0 == UInt8(ascii: "\"") } ?? bytes.count
            if let at = bytes[word..<end].lastIndex(of: UInt8(ascii: "@")),
                let start = userInfoStart(in: bytes[word..<at])
            {
                ranges.append(start..<at)
            }
            word = end + 1
        }
        return ranges
    }

    /// Where the first user info with a password begins; nil if there is none.
    private static func userInfoStart(in word: ArraySlice<UInt8>) -> Int? {
        var rest = word
        while let colon = rest.firstIndex(of: UInt8(ascii: ":")) {
            rest = rest[(colon + 1)...]
            guard rest.starts(with: "//".utf8) else { continue }
            let user = rest.dropFirst(2)
            let delimiter = user.firstIndex { "/@:".utf8.contains($0) }
            if let delimiter, user[delimiter] == UInt8(ascii: ":") { return user.startIndex }
            rest = user[(delimiter ?? user.endIndex)...]
        }
        return nil
    }

    /// Joins ranges that overlap: a secret that begins within another one must not leave its end behind.
    private static func merged(_ ranges: [Range<Int>]) -> [Range<Int>] {
        ranges.sorted { $0.lowerBound < $1.lowerBound }.reduce(into: []) { merged, range in
            if let last = merged.last, range.lowerBound < last.upperBound {
                merged[merged.count - 1] = last.lowerBound..<max(last.upperBound, range.upperBound)
            } else {
                merged.append(range)
            }
        }
    }

    /// False for a short word that is a part of another word, a scheme of a URL or the section of a key, such as `mqtt.url`.
    private static func isValue(_ bytes: [UInt8], _ range: Range<Int>) -> Bool {
        guard range.count <= longestWord, bytes[range].allSatisfy(ASCII.isLetter) else { return true }
        let (before, after) = (bytes[..<range.lowerBound].last, bytes[range.upperBound...])
        let isPart = [before, after.first].contains { $0.map { ASCII.isLetterOrDigit($0) || $0 >= 0x80 } == true }
        // 'mqtt://' and 'mqtt.url' are what messages speak of.
        let isName = after.first == UInt8(ascii: ".") && after.dropFirst().first.map(ASCII.isLetter) == true
        return !isPart && !isName && !after.starts(with: "://".utf8)
    }

    private static func beginning(_ bytes: ArraySlice<UInt8>) -> UInt32 {
        UInt32(bigEndianBytes: bytes.prefix(shortest))
    }
}
