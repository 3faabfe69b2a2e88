/// How far a probe goes; each depth includes the ones before it.
public enum ProbeDepth: String, CaseIterable, Sendable, Codable {
    /// A TCP connection is made and closed.
    case tcp
    /// The TLS handshake, and whether the certificate is trusted. The same as ``tcp`` for an `rtsp:` address.
    case tls
    /// OPTIONS and DESCRIBE, with authentication: the server offers video. No stream is started.
    case rtsp
    /// SETUP, PLAY and the first complete key frame, then TEARDOWN. Takes the one viewer's place that a small camera may have.
    case media
}

extension ProbeDepth: Comparable {
    /// Whether `left` ends before `right`.
    public static func < (left: Self, right: Self) -> Bool { left.order < right.order }

    private var order: Int { Self.allCases.firstIndex(of: self) ?? 0 }
}
