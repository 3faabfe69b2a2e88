/// The fingerprint of the trusted certificate of a printer, in hexadecimal.
package enum CertificatePin: Sendable, Hashable {
    /// The bridge has pinned it by itself: this proves only that the server is the one that was seen first.
    case firstSeen(String)
    /// The vendor's authority has proved the printer by it; another one that is proven replaces it.
    case proven(String)
    /// A person has compared and accepted it: it proves the printer, and no authority replaces it.
    case accepted(String)

    /// The 64 lower-case digits.
    package var fingerprint: String {
        switch self {
        case .firstSeen(let fingerprint), .proven(let fingerprint), .accepted(let fingerprint): fingerprint
        }
    }

    /// The 64 digits of a fingerprint, which other programs show with colons, spaces and capitals; nil for none.
    package static func normalized(_ text: String) -> String? {
        let digits = text.filter { $0 != ":" && $0 != " " }.lowercased()
        return digits.utf8.count == 64 && digits.allSatisfy({ $0.isASCII && $0.isHexDigit }) ? digits : nil
    }

    package var isAccepted: Bool { if case .accepted = self { true } else { false } }
    /// Whether it proves the printer, so that a server with this certificate may get the access code itself.
    package var provesPrinter: Bool { if case .firstSeen = self { false } else { true } }
    package var isProven: Bool { if case .proven = self { true } else { false } }
}
