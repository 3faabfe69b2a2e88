package enum SimulatedCamera: String, Sendable, CaseIterable {
    /// RTSP over TLS with H.264, as X1, P2 and H2 printers have it on port 322.
    case rtsps
    /// A login, then JPEG pictures over TLS, as P1 and A1 printers have it on port 6000.
    case jpeg
}
