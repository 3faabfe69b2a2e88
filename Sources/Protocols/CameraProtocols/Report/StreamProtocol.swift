package enum StreamProtocol: String, CaseIterable, Sendable, Codable {
    /// RTSP, with or without TLS.
    case rtsp
    /// JPEG pictures over TLS, see ``StreamURL/jpeg(host:port:user:password:)``.
    case jpeg
    /// JPEG pictures over HTTP, with or without TLS: one after the other (MJPEG), or a single one.
    case http

    /// Whether the camera sends whole JPEG pictures, which need no decoder.
    package var sendsPictures: Bool { self != .rtsp }
}
