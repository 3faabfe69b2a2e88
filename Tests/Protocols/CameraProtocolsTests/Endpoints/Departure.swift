import CameraProtocols
import OpenSSL
import TestSupport

/// One way in which a probe can end, and what the server has to see at the end of it.
struct Departure: Sendable, CustomStringConvertible {
    let fault: String
    var depth = ProbeDepth.media
    /// Why it ends: by itself, or cancelled once the server has seen this.
    var cancelledAt: String?
    var reason: ProbeReason?
    var trust = TrustPolicy.any
    var isEncrypted = true
    var password = secret
    let ending: [String]

    init(
        _ fault: String,
        _ depth: ProbeDepth = .media,
        _ reason: ProbeReason? = nil,
        cancelledAt: String? = nil,
        ending: [String]
    ) {
        (self.fault, self.depth, self.ending) = (fault, depth, ending)
        (self.reason, self.cancelledAt) = (reason, cancelledAt)
    }

    var description: String {
        let how = cancelledAt.map { "cancelled at \($0)" } ?? reason?.rawValue ?? "healthy"
        return "\(fault)\(isEncrypted ? "" : " without TLS") at depth \(depth.rawValue), \(how), ends with \(ending)"
    }

    private func with(_ change: (inout Self) -> Void) -> Self {
        var copy = self
        change(&copy)
        return copy
    }

    private static let played = ["PAUSE", "TEARDOWN"] + closed
    private static let unplayed = ["SETUP", "TEARDOWN"] + closed
    private static let closed = ["close_notify", "fin"]

    /// By itself: done, or failed at each stage.
    ///
    /// A server that never stops sending is missing: it is cut off after a while.
    static let byItself: [Self] = [
        Self("none", .tcp, ending: ["accept", "fin"]),
        Self("none", .tls, ending: ["accept"] + closed),
        Self("none", .rtsp, ending: ["DESCRIBE", "DESCRIBE"] + closed),
        Self("none", ending: ["PLAY"] + played),
        Self("none", .rtsp, .certificateChanged, ending: ["accept", "tls_error", "fin"]).with { $0.trust = .otherPin },
        Self("hang-tls", .rtsp, .rtspTimeout, ending: ["OPTIONS"] + closed),
        Self("garbage", .rtsp, .rtspInvalid, ending: ["OPTIONS"] + closed),
        Self("none", .rtsp, .unauthorized, ending: ["DESCRIBE", "DESCRIBE"] + closed).with { $0.password = "87654321" },
        Self("hang-authorized", .rtsp, .rtspTimeout, ending: ["DESCRIBE", "DESCRIBE"] + closed),
        Self("hang-describe", .media, .rtspTimeout, ending: ["SETUP"] + closed),
        Self("udp", .media, .rtspInvalid, ending: unplayed),
        Self("half-setup", .media, .rtspTimeout, ending: unplayed),
        Self("hang-setup", .media, .rtspTimeout, ending: ["PLAY"] + played),
        Self("no-idr", .media, .noFrame, ending: ["PLAY"] + played),
        Self("endless-media", .media, .noFrame, ending: ["PLAY"] + played),
        // What cannot be read any more may still be listening.
        Self("broken-media", .media, .rtspInvalid, ending: ["PLAY", "TEARDOWN"] + closed),
        Self("fin-setup", .media, .busy, ending: ["PLAY", "TEARDOWN"] + closed),
        Self("fin-play", .media, .closedEarly, ending: ["PLAY", "TEARDOWN"] + closed),
        Self("hang-pause", ending: ["PLAY"] + played),
        Self("hang-close", ending: ["PLAY"] + played),
        Self("none", .rtsp, ending: ["DESCRIBE", "DESCRIBE", "fin"]).with { $0.isEncrypted = false },
        Self("none", ending: ["PAUSE", "TEARDOWN", "fin"]).with { $0.isEncrypted = false },
        Self("broken-media", .media, .rtspInvalid, ending: ["PLAY", "TEARDOWN", "fin"]).with { $0.isEncrypted = false },
        Self("fin-play", .media, .closedEarly, ending: ["PLAY", "TEARDOWN", "fin"]).with { $0.isEncrypted = false },
    ]

    /// Cancelled at each stage, and on the way out.
    static let cancelled: [Self] = [
        Self("hang-accept", cancelledAt: "accept", ending: ["accept", "fin"]),
        Self("hang-authorized", cancelledAt: "DESCRIBE", ending: closed),
        Self("slow-setup", cancelledAt: "SETUP", ending: unplayed),
        Self("hang-setup", cancelledAt: "PLAY", ending: ["PLAY"] + played),
        Self("no-idr", cancelledAt: "PLAY", ending: ["PLAY"] + played),
        Self("endless-media", cancelledAt: "PLAY", ending: ["PLAY"] + played),
        Self("hang-pause", cancelledAt: "PAUSE", ending: ["PLAY"] + played),
        Self("hang-teardown", cancelledAt: "TEARDOWN", ending: ["PLAY"] + played),
        Self("hang-close", cancelledAt: "close_notify", ending: ["PLAY"] + played),
        Self("hang-tls", cancelledAt: "OPTIONS", ending: ["OPTIONS", "fin"]).with { $0.isEncrypted = false },
        Self("no-idr", cancelledAt: "PLAY", ending: ["PAUSE", "TEARDOWN", "fin"]).with { $0.isEncrypted = false },
    ]

    /// What was decided before the cancellation stays decided.
    var isDecided: Bool { cancelledAt == nil || ["PAUSE", "TEARDOWN", "close_notify"].contains(cancelledAt) }
}
