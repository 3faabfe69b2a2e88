import Foundation

/// Servers that pose as a camera, take any login, and record every byte that they are sent; see `witness.py`.
package final class WitnessServers: Sendable {
    /// How a server asks for the password.
    package enum Offer: String, CaseIterable, Sendable {
        /// Not at all.
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
    private let ports: [String: Int]

    /// Starts one for each offer, and waits until all of them listen.
    ///
    /// - Parameter certificates: For TLS; nil for plain TCP.
    /// - Throws: ``TestFailure`` when they do not start.
    package init(certificates: TestCertificates?) async throws {
        let arguments = certificates.map { ["--cert", $0.chain.path, "--key", $0.key.path] } ?? []
        let script = try ServerScript("witness", arguments)
        try await script.process.waitForOutput("ready\n")
        ports = Dictionary(script.lines("ready").filter { $0.count == 2 }.map { ($0[0], Int($0[1]) ?? 0) }) { $1 }
        self.script = script
    }

    /// The port on 127.0.0.1 where an offer is made.
    package func port(_ offer: Offer) -> Int { ports[offer.rawValue] ?? 0 }

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
