/// What a completed handshake agreed on; ``TLSHandler`` fires it as a user event.
public struct TLSHandshakeCompleted: Sendable, Hashable {
    /// The peer's certificate; nil on a server, which asks for none.
    public let certificate: CertificateReport?
    /// The version of TLS.
    public let protocolVersion: TLSVersion

    /// Makes the event.
    public init(certificate: CertificateReport?, protocolVersion: TLSVersion) {
        self.certificate = certificate
        self.protocolVersion = protocolVersion
    }
}
