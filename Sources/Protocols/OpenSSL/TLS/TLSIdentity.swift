internal import Foundation

/// A certificate chain and its private key; the key is never printed.
public struct TLSIdentity: Sendable, CustomStringConvertible, CustomReflectable {
    let certificatePEM: String
    let keyPEM: String

    /// The chain, leaf first, and its unencrypted key, both as PEM text.
    public init(certificatePEM: String, keyPEM: String) {
        self.certificatePEM = certificatePEM
        self.keyPEM = keyPEM
    }

    /// The same from two PEM files; throws ``TLSFailure`` naming the one that cannot be read.
    public init(certificateFile: String, keyFile: String) throws(TLSFailure) {
        self.init(certificatePEM: try Self.read(certificateFile), keyPEM: try Self.read(keyFile))
    }

    /// Says only that there is an identity.
    public var description: String { "TLSIdentity(redacted)" }
    /// Has no children.
    public var customMirror: Mirror { Mirror(self, children: [:]) }

    private static func read(_ file: String) throws(TLSFailure) -> String {
        do {
            return try String(contentsOfFile: file, encoding: .utf8)
        } catch {
            throw TLSFailure(.configuration, "cannot read \(file)")
        }
    }
}
