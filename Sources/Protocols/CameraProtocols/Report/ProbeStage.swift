/// One step of a probe, in order.
package enum ProbeStage: String, CaseIterable, Sendable, Codable {
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
    /// PLAY and its answer; in the JPEG protocol the login, and over HTTP the request, until a picture begins.
    case play
    /// From there to the first complete key frame, or picture.
    case firstFrame = "first_frame"
}

extension ProbeStage: Comparable {
    package static func < (left: Self, right: Self) -> Bool { left.order < right.order }

    private var order: Int { Self.allCases.firstIndex(of: self) ?? 0 }
}
