package enum StreamProtocol: String, CaseIterable, Sendable, Codable {
    /// RTSP, with or without TLS.
    case rtsp
    /// JPEG pictures over TLS, see ``JPEGStreamAddress``.
    case jpeg
}
