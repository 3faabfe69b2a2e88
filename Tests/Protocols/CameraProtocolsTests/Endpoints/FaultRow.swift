import CameraProtocols

/// One fault of the faulty server, and what a probe has to say about it.
struct FaultRow: Sendable, CustomStringConvertible {
    let fault: String
    let depth: ProbeDepth
    /// Nil: the stream is fine.
    let failure: Failure?

    struct Failure: Sendable, Equatable {
        let reason: ProbeReason
        let stage: ProbeStage
        var cause: ProbeCause?
    }

    init(_ fault: String, _ depth: ProbeDepth = .rtsp) {
        (self.fault, self.depth, failure) = (fault, depth, nil)
    }

    init(
        _ fault: String,
        _ depth: ProbeDepth,
        _ reason: ProbeReason,
        at stage: ProbeStage,
        _ cause: ProbeCause? = nil
    ) {
        (self.fault, self.depth, failure) = (fault, depth, Failure(reason: reason, stage: stage, cause: cause))
    }

    init(_ fault: String, _ reason: ProbeReason, at stage: ProbeStage, _ cause: ProbeCause? = nil) {
        self.init(fault, .rtsp, reason, at: stage, cause)
    }

    /// What a probe is to say, over TLS or without.
    func failure(isEncrypted: Bool) -> Failure? {
        guard var failure, !isEncrypted else { return failure }
        if failure.cause == .basicWithheld { failure.cause = .basicInClear }
        guard failure.stage == .options else { return failure }
        // Without TLS a server that makes no sense, or hangs up at once, may want TLS.
        let isAmbiguous = failure.cause == .closedAfterTLS || failure.reason == .rtspInvalid && failure.cause == nil
        if isAmbiguous, !Self.answersInOrder.contains(fault) { failure.cause = .plainNotUnderstood }
        return failure
    }

    /// Faults whose answers are RTSP, as far as their form goes.
    private static let answersInOrder: Set<String> = ["wrong-cseq", "flood"]

    var description: String {
        "\(fault) at depth \(depth.rawValue) → \(failure.map { "\($0.reason.rawValue) at \($0.stage.rawValue)" } ?? "healthy")"
    }

    static let all: [Self] = [
        // Before RTSP.
        Self("reset", .tls, .closedEarly, at: .tls),
        Self("close", .tls, .closedEarly, at: .tls),
        Self("close", .tcp),
        Self("hang-accept", .tls, .tlsTimeout, at: .tls),
        Self("hang-accept", .tcp),
        Self("half-hello", .tls, .tlsFailed, at: .tls),
        Self("tls-garbage", .tls, .tlsFailed, at: .tls),
        Self("alert-handshake", .tlsFailed, at: .tls, .clientCertificateWanted),
        Self("alert-version", .tlsFailed, at: .tls, .oldTLS),
        Self("alert-name", .tlsFailed, at: .tls),
        Self("alert-unknown", .tlsFailed, at: .tls),
        Self("plain-http", .tlsFailed, at: .tls),
        Self("plain-rtsp", .tlsFailed, at: .tls),
        Self("plain-ssh", .tlsFailed, at: .tls),
        Self("huge-record", .tlsFailed, at: .tls),
        Self("tls-1.1", .tlsFailed, at: .tls, .oldTLS),
        Self("client-certificate", .tlsFailed, at: .options, .clientCertificateWanted),
        Self("client-certificate-1.2", .tlsFailed, at: .tls, .clientCertificateWanted),
        Self("drip-hello", .tls, .tlsTimeout, at: .tls),
        Self("hang-hello", .tls, .tlsTimeout, at: .tls),
        Self("eof-hello", .tls, .tlsFailed, at: .tls),
        Self("reset-hello", .tls, .closedEarly, at: .tls),
        Self("broken-record", .tlsFailed, at: .options),
        Self("hang-tls", .rtspTimeout, at: .options),
        Self("hang-tls", .tls),
        Self("reset-tls", .closedEarly, at: .options, .closedAfterTLS),
        Self("eof-tls", .closedEarly, at: .options, .closedAfterTLS),
        Self("notify-tls", .closedEarly, at: .options, .closedAfterTLS),
        // The conversation stops.
        Self("hang-options", .rtspTimeout, at: .describe, .silentAfterAnswer),
        Self("hang-describe", .rtsp),
        Self("hang-describe", .media, .rtspTimeout, at: .setup, .silentAfterAnswer),
        Self("hang-setup", .media, .rtspTimeout, at: .play, .silentAfterAnswer),
        Self("hang-teardown", .media),
        Self("slow-setup", .media),
        Self("eof-describe", .media, .closedEarly, at: .setup, .closedAfterDescribe),
        Self("eof-setup", .media, .busy, at: .play),
        // Media.
        Self("no-media", .media, .noFrame, at: .firstFrame),
        Self("no-media", .rtsp),
        Self("rtcp-only", .media, .noFrame, at: .firstFrame),
        Self("no-idr", .media, .noFrame, at: .firstFrame),
        Self("no-sps", .media, .noFrame, at: .firstFrame),
        Self("lost-fragment", .media, .noFrame, at: .firstFrame),
        Self("media-stops", .media, .noFrame, at: .firstFrame),
        Self("media-ends", .media, .closedEarly, at: .firstFrame, .closedWhilePlaying),
        Self("wrong-channel", .media, .noFrame, at: .firstFrame),
        // Authentication.
        Self("nonce-forever", .unauthorized, at: .describe),
        Self("stale-forever", .rtspInvalid, at: .describe, .noUsableChallenge),
        Self("bad-challenge", .rtspInvalid, at: .describe, .noUsableChallenge),
        Self("no-challenge", .rtspInvalid, at: .describe, .noUsableChallenge),
        Self("unknown-challenge", .rtspInvalid, at: .describe, .noUsableChallenge),
        Self("only-basic", .serverUnproven, at: .describe, .basicWithheld),
        Self("echo", .notFound, at: .describe),
        // Status.
        Self("forbidden", .unauthorized, at: .describe),
        Self("busy", .media, .busy, at: .setup),
        Self("not-enough-bandwidth", .busy, at: .describe),
        Self("server-error", .rtspInvalid, at: .describe, .serverFault),
        Self("redirect", .redirected, at: .describe),
        Self("redirect-loop", .redirected, at: .describe),
        // SDP.
        Self("sdp-empty", .noVideo, at: .describe),
        Self("sdp-garbage", .rtspInvalid, at: .describe),
        Self("sdp-audio", .noVideo, at: .describe),
        Self("sdp-mjpeg", .noVideo, at: .describe),
        Self("sdp-huge", .rtspInvalid, at: .describe),
        // SETUP.
        Self("no-session", .media, .rtspInvalid, at: .setup),
        Self("udp", .media, .rtspInvalid, at: .setup, .noTCPTransport),
        Self("half-setup", .media, .rtspTimeout, at: .setup, .answerCutOff),
        // Framing.
        Self("garbage", .rtspInvalid, at: .options),
        Self("http", .rtspInvalid, at: .options),
        Self("drip", .rtspTimeout, at: .options, .answerCutOff),
        Self("endless-line", .rtspInvalid, at: .options),
        Self("endless-headers", .rtspInvalid, at: .options),
        Self("many-headers", .rtspInvalid, at: .options),
        Self("endless-body", .rtspInvalid, at: .options),
        Self("negative-length", .rtspInvalid, at: .options),
        Self("huge-length", .rtspInvalid, at: .options),
        Self("two-lengths", .rtspInvalid, at: .options),
        Self("short-body", .closedEarly, at: .options, .answerCutOff),
        Self("nul", .rtspInvalid, at: .options),
        Self("wrong-cseq", .rtspInvalid, at: .options),
        Self("flood", .rtspInvalid, at: .options, .flood),
        // Legal, or too common to refuse.
        Self("none", .media),
        Self("no-cseq", .media),
        Self("folded", .media),
        Self("lowercase", .media),
        Self("chatty", .media),
        Self("continue", .media),
        Self("same-lengths", .media),
        Self("no-options", .media),
        Self("no-reason", .media),
        Self("stale-once", .media),
        Self("base-nonsense", .media),
        Self("absolute-control", .media),
        Self("other-channel", .media),
        Self("early-media", .media),
        Self("fragmented", .media),
        Self("frozen-clock", .media),
        Self("no-sprop", .media),
        Self("h265", .media),
        Self("h265-fragmented", .media),
    ]
}
