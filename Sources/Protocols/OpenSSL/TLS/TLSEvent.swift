/// What a ``TLSSession`` has to tell after it was given bytes.
package enum TLSEvent: Sendable, Hashable {
    /// The handshake is complete: plaintext may be sent.
    case handshakeCompleted(TLSHandshakeCompleted)
    /// Decrypted bytes, never empty.
    case received([UInt8])
    /// The peer sends nothing more.
    case inputClosed(TLSInputClosed)
    /// The connection is unusable; send the alert that the session holds, then close it.
    case failed(TLSFailure)
}

/// What a completed handshake agreed on; ``TLSHandler`` fires it as a user event.
package struct TLSHandshakeCompleted: Sendable, Hashable {
    /// The peer's certificate; nil on a server, which asks for none.
    package let certificate: CertificateReport?
    package let protocolVersion: TLSVersion
    /// Whether the peer's certificate proves who the peer is, see ``TrustPolicy/provesServer``.
    package let isPeerProven: Bool
}

/// The end of what the peer sends; ``TLSHandler`` fires it as a user event, once.
package enum TLSInputClosed: Sendable, Hashable {
    /// The peer said so with close_notify (RFC 8446, 6.1).
    case closeNotify
    /// The connection ended without a closing message: what was received may be incomplete.
    case truncated
}

/// A version of TLS that we speak.
package enum TLSVersion: String, Sendable, CaseIterable {
    /// TLS 1.2 (RFC 5246).
    case tls12 = "TLSv1.2"
    /// TLS 1.3 (RFC 8446).
    case tls13 = "TLSv1.3"
}
