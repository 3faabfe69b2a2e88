/// Servers that pose as a camera, take any login, and record every byte that they are sent; see `witness.py`.
package final class WitnessServers: Sendable {
    /// How a server asks for the password.
    package enum Offer: String, CaseIterable, Sendable {
        case none
        /// The password itself.
        case basic
        /// Digest with MD5, as LIVE555 does.
        case md5
        /// Digest with SHA-256.
        case sha256
        /// Basic, or Digest with MD5.
        case both
    }

    private let script: ServerScript

    package init(certificates: TestCertificates?) async throws {
        script = try await ServerScript("witness", [], certificates: certificates)
    }

    /// The port on 127.0.0.1 where an offer is made.
    package func port(_ offer: Offer) -> Int { (try? script.port(offer.rawValue)) ?? 0 }

    /// What the server of an offer was sent inside TLS, an element for each connection that is over.
    package func heard(_ offer: Offer) -> [[UInt8]] {
        script.events(offer.rawValue).compactMap(\.first).map { hexadecimal in
            let digits = Array(hexadecimal.utf8)
            return stride(from: 0, to: digits.count - 1, by: 2).compactMap {
                UInt8(String(decoding: digits[$0...($0 + 1)], as: UTF8.self), radix: 16)
            }
        }
    }
}
