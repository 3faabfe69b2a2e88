/// One step of a probe, in order.
public enum ProbeStage: String, CaseIterable, Sendable, Codable {
    /// The host name is looked up; skipped for an address.
    case dns
    /// The TCP connection, over all the addresses that the name has.
    case tcp
    /// The TLS handshake with the check of the certificate.
    case tls
    /// OPTIONS and its answer.
    case options
    /// DESCRIBE, with authentication, and the description it brings.
    case describe
    /// SETUP of the video track.
    case setup
    /// PLAY and its answer.
    case play
    /// From PLAY's answer to the first complete key frame.
    case firstFrame = "first_frame"
}
