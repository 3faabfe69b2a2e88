extension ProbeReason {
    /// The reason behind an RTSP status (RFC 2326, section 7.1.1); nil for success.
    init?(status: Int) {
        switch status {
        case 200..<300: return nil
        case 300..<400: self = .redirected
        case 401, 403, 407: self = .unauthorized
        case 404, 410: self = .notFound
        case 453, 503: self = .busy
        default: self = .rtspInvalid
        }
    }
}
