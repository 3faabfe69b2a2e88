extension ProbeReason {
    /// The reason behind a status of RTSP (RFC 2326, section 7.1.1) or HTTP; nil for success.
    init?(status: Int) {
        switch status {
        case 200..<300: return nil
        case 300..<400: self = .redirected
        case 401, 403, 407: self = .unauthorized
        case 404, 410: self = .notFound
        case 429, 453, 503: self = .busy
        default: self = .rtspInvalid
        }
    }
}

extension ProbeCause {
    /// The cause of a status that has no reason of its own; nil if the cause is not known.
    init?(status: Int) {
        switch status {
        case 406: self = .notAcceptable
        // RFC 2326, section 11.3: 'Unsupported Transport'.
        case 461: self = .noTCPTransport
        case 500, 502, 504: self = .serverFault
        default: return nil
        }
    }
}
