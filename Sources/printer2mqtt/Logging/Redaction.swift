import Foundation
import Synchronization

/// Keeps secrets out of text that leaves the process: every secret that it was told of, and the user info of any URL.
final class Redaction: Sendable {
    static let mask = "********"
    /// Shorter texts stand in too many words.
    private static let shortest = 4

    private let secrets = Mutex<Set<String>>([])

    /// Takes note of a secret, as it is and as it stands in a URL.
    func learn(_ secret: String) {
        guard secret.count >= Self.shortest else { return }
        let encoded = secret.addingPercentEncoding(withAllowedCharacters: .alphanumerics)
        secrets.withLock { secrets in
            secrets.insert(secret)
            if let encoded { secrets.insert(encoded) }
        }
    }

    /// The text without any of them.
    func apply(_ text: String) -> String {
        var text = text
        for secret in secrets.withLock({ $0 }) where text.contains(secret) {
            text = text.replacingOccurrences(of: secret, with: Self.mask)
        }
        return text.contains("://") ? text.replacing(/:\/\/[^\/@\s"]*:[^@\s"]*@/, with: "://\(Self.mask)@") : text
    }
}
