import CameraProtocols
import Testing

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
        guard failure.stage == .options else { return failure }
        // Without TLS a server that makes no sense, or hangs up at once, may want TLS.
        let isAmbiguous = failure.cause == .closedAfterTLS || failure.reason == .rtspInvalid && failure.cause == nil
        if isAmbiguous { failure.cause = .plainNotUnderstood }
        return failure
    }

    /// Checks what a probe says.
    func check(_ report: ProbeReport, isEncrypted: Bool = true) {
        let found = report.failure.map { Failure(reason: $0.reason, stage: $0.stage, cause: $0.cause) }
        #expect(found == failure(isEncrypted: isEncrypted), "\(self), but: \(report.outcome)")
        #expect(report.isHealthy == (failure == nil), "\(self)")
        #expect(!"\(report)".contains(secret), "\(self) gave the password away")
    }

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
        Self("plain-http", .tlsFailed, at: .tls),
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
        Self("media-stops", .media, .noFrame, at: .firstFrame),
        Self("media-ends", .media, .closedEarly, at: .firstFrame, .closedWhilePlaying),
        // Authentication.
        Self("nonce-forever", .unauthorized, at: .describe),
        Self("stale-forever", .rtspInvalid, at: .describe, .noUsableChallenge),
        // SETUP.
        Self("busy", .media, .busy, at: .setup),
        Self("udp", .media, .rtspInvalid, at: .setup, .noTCPTransport),
        Self("half-setup", .media, .rtspTimeout, at: .setup, .answerCutOff),
        // Framing.
        Self("garbage", .rtspInvalid, at: .options),
        Self("drip", .rtspTimeout, at: .options, .answerCutOff),
        Self("endless-body", .rtspInvalid, at: .options),
        Self("short-body", .closedEarly, at: .options, .answerCutOff),
        Self("flood", .rtspInvalid, at: .options, .flood),
        // Legal, or too common to refuse.
        Self("none", .media),
        Self("chatty", .media),
        Self("stale-once", .media),
        Self("fragmented", .media),
        Self("h265", .media),
    ]
}
