package enum StreamProtocol: String, CaseIterable, Sendable, Codable {
    /// RTSP, with or without TLS.
    case rtsp
    /// JPEG pictures over TLS, see ``JPEGStreamAddress``.
    case jpeg
    /// JPEG pictures over HTTP, with or without TLS: one after the other (MJPEG), or a single one.
    case http
}
