import Foundation
import Synchronization

/// Keeps secrets out of text that leaves the process: every secret that it was told of, and the user info of any URL.
final class Redaction: Sendable {
    static let mask = "********"
    /// Shorter texts stand in too many words.
    private static let shortest = 4

    /// Longest first: one that begins with another must not leave its end behind.
    private let secrets = Mutex<[String]>([])

    /// Takes note of a secret, as it is and as it stands in a URL and in JSON.
    func learn(_ secret: String) {
        guard secret.count >= Self.shortest else { return }
        let forms = [secret, secret.addingPercentEncoding(withAllowedCharacters: .unreserved), Self.escaped(secret)]
        secrets.withLock { secrets in
            for form in forms.compactMap(\.self) where !secrets.contains(form) {
                let place = secrets.firstIndex { $0.utf8.count < form.utf8.count } ?? secrets.endIndex
                secrets.insert(form, at: place)
            }
        }
    }

    /// The text without any of them.
    func apply(_ text: String) -> String {
        var text = text
        for secret in secrets.withLock({ $0 }) where text.contains(secret) {
            text = text.replacingOccurrences(of: secret, with: Self.mask)
        }
        return text.contains("://") ? text.replacing(/:\/\/[^\/@\s"]*:[^\s"]*@/, with: "://\(Self.mask)@") : text
    }

    /// As it stands between the quotes of a JSON text.
    private static func escaped(_ secret: String) -> String? {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .withoutEscapingSlashes
        return (try? encoder.encode(secret)).map { String(decoding: $0.dropFirst().dropLast(), as: UTF8.self) }
    }
}

extension CharacterSet {
    /// What RFC 3986, section 2.3, leaves as it is.
    fileprivate static let unreserved = CharacterSet(
        charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~"
    )
}
