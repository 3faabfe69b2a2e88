import NIOCore
import OpenSSL
import Platform

/// A probe as a value: what happened goes in with its time, what to do comes out.
///
/// It always ends: every phase has a deadline, and after `close` the next `closed` leads to `finish`. A watch goes on after
/// the first picture, and each further picture has the deadline and the byte budget of ``ProbeStage/firstFrame`` anew.
struct ProbeStateMachine<Conversation: StreamConversation>: Sendable {
    enum Event: Sendable {
        case started
        case resolved([SocketAddress])
        case unresolved(String, ProbeCause? = nil)
        case connected
        case notConnected(ConnectFailure)
        case secured(TLSHandshakeCompleted)
        case tlsFailed(TLSFailure, sawBytes: Bool)
        case message(Conversation.Parser.Message)
        /// The bytes break the protocol, with the part of a message that could be read before; nothing more is read.
        case unreadable(String, Conversation.Parser.Message?)
        /// The server says nothing more, but may still listen; with what was read of a message until then.
        case ended(ConnectionEnd, Conversation.Parser.Message? = nil)
        /// The server has sent more than ``ProbeStateMachine/byteBudget``, or more messages; nothing more is read.
        case flooded(Conversation.Parser.Message? = nil)
        /// Time is over, with what was read of a message until then.
        case deadline(ProbeTimer, Conversation.Parser.Message? = nil)
        case cancelled
        /// The connection is closed and its descriptor free.
        case closed
    }

    private enum Phase: Sendable {
        case idle
        case resolving
        case connecting(rest: ArraySlice<SocketAddress>, failures: [ConnectFailure])
        case securing
        case talking
        /// The connection is being closed, and the next one follows.
        case reconnecting
        /// SETUP is in flight and might make a session.
        case awaitingSession
        /// The requests that end the session are sent, one after the other.
        case leaving
        case closing
        case finished
    }

    private let deadlines: ProbeDeadlines
    private var phase = Phase.idle
    private var stage = ProbeStage.dns
    private var stageStart = ContinuousClock.now
    /// The address that the probe is connected to: one probe talks to one server.
    private var address: SocketAddress?
    private var conversation: Conversation
    /// Whether a picture was delivered: later ones that are too large are left out.
    private var hasDelivered = false
    private(set) var report: ProbeReport

    /// The first key frame, if it was asked for and came.
    var picture: CodedPicture? { conversation.picture }

    private var url: StreamURL { conversation.settings.url }
    private var depth: ProbeDepth { conversation.settings.depth }
    private var watches: Bool { conversation.settings.watches }

    init(_ conversation: Conversation, deadlines: ProbeDeadlines) {
        self.conversation = conversation
        self.deadlines = deadlines
        report = ProbeReport(
            depth: conversation.settings.depth,
            outcome: .cancelled,
            streamProtocol: Conversation.streamProtocol
        )
    }

    /// What to do about an event; one that comes too late is ignored.
    mutating func handle(_ event: Event, at now: ContinuousClock.Instant) -> [ProbeAction] {
        switch (phase, event) {
        case (.finished, _): []
        case (.closing, .closed): finish()
        case (.closing, _): []
        case (.idle, .started): begin(now)
        case (.talking, .deadline(.keepAlive, _)): perform(conversation.keepAlive(), now)
        case (_, .deadline(.keepAlive, _)): []
        case (.leaving, .message(let message)), (.awaitingSession, .message(let message)):
            conversation.isAnswer(message) ? sendTeardown(after: message) : []
        case (.leaving, .deadline): sendTeardown()
        case (.awaitingSession, .deadline(_, let part)), (.leaving, .unreadable(_, let part)),
            (.awaitingSession, .unreadable(_, let part)), (.leaving, .ended(.closed, let part)),
            (.awaitingSession, .ended(.closed, let part)), (.leaving, .flooded(let part)),
            (.awaitingSession, .flooded(let part)):
            sendFinalRequest(after: part) + close()
        case (.leaving, .cancelled), (.awaitingSession, .cancelled): []
        case (.leaving, _), (.awaitingSession, _): close()
        case (.reconnecting, .closed): connect([address].compactMap(\.self), now)
        case (.reconnecting, .deadline(.overall, let part)): timedOut(in: part)
        case (_, .cancelled): leave(.cancelled)
        case (.reconnecting, _): []
        case (.connecting, .deadline(.stage, _)): tryNext(after: .timedOut, now)
        case (_, .deadline(_, let part)): timedOut(in: part)
        case (.resolving, .resolved(let addresses)): connect(addresses, now)
        case (.resolving, .unresolved(let why, let cause)): fail(ProbeFault(.dnsFailed, why, cause))
        case (.connecting, .connected): connected(now)
        case (.connecting, .notConnected(.reset)): resetAtOnce(now)
        case (.connecting, .notConnected(let failure)): tryNext(after: failure, now)
        case (.securing, .secured(let handshake)): secured(handshake, now)
        case (_, .tlsFailed(let failure, let sawBytes)): tlsFailed(failure, sawBytes: sawBytes)
        case (.talking, .message(let message)): perform(conversation.receive(message), now)
        case (.talking, .unreadable(let why, let part)):
            sendFinalRequest(after: part) + failAtOnce(conversation.unreadable(why, in: part))
        case (_, .flooded(let part)): sendFinalRequest(after: part) + failAtOnce(flood)
        case (.talking, .ended(let end, let part)):
            goOn(conversation.receive(end), now)
                ?? (end == .closed ? sendFinalRequest(after: part) : []) + ended(end, in: part)
        case (_, .ended(let end, let part)): ended(end, in: part)
        case (_, .closed): ended(.closed)
        default: []
        }
    }

    // MARK: Getting there

    private mutating func begin(_ now: ContinuousClock.Instant) -> [ProbeAction] {
        phase = .resolving
        let overall = ProbeAction.setTimer(.overall, deadlines.overall)
        return [overall] + enter(.dns, now) + [.resolve(host: url.host, port: url.port)]
    }

    private mutating func connect(_ addresses: [SocketAddress], _ now: ContinuousClock.Instant) -> [ProbeAction] {
        guard let first = addresses.first else { return fail(ProbeFault(.dnsFailed, "the name has no address")) }
        if IPLiteral(url.host) == nil { complete(.dns, now) }
        address = first
        phase = .connecting(rest: addresses.dropFirst(), failures: [])
        stage = .tcp
        stageStart = now
        return [.setTimer(.stage, attemptTime(addresses.count, now)), .connect(first)]
    }

    private mutating func tryNext(after failure: ConnectFailure, _ now: ContinuousClock.Instant) -> [ProbeAction] {
        guard case .connecting(let rest, let failures) = phase else { return [] }
        let all = failures + [failure]
        guard let next = rest.first, now - stageStart < deadlines.tcp else {
            return fail(ProbeFault(all, port: url.port))
        }
        address = next
        phase = .connecting(rest: rest.dropFirst(), failures: all)
        return [.setTimer(.stage, attemptTime(rest.count, now)), .connect(next)]
    }

    /// The stage's remaining time, in equal shares for the remaining addresses.
    private func attemptTime(_ count: Int, _ now: ContinuousClock.Instant) -> Duration {
        max(.zero, deadlines.tcp - (now - stageStart)) / max(1, count)
    }

    private mutating func connected(_ now: ContinuousClock.Instant) -> [ProbeAction] {
        complete(.tcp, now)
        report.connections += 1
        guard depth > .tcp else { return leave(.succeeded) }
        guard url.scheme.isEncrypted else { return depth > .tls ? talk(now) : leave(.succeeded) }
        phase = .securing
        return enter(.tls, now) + [.startTLS]
    }

    /// The server accepted and reset the connection at once: a moment later, the next stage would have failed.
    private mutating func resetAtOnce(_ now: ContinuousClock.Instant) -> [ProbeAction] {
        complete(.tcp, now)
        report.connections += 1
        if depth > .tcp, depth > .tls || url.scheme.isEncrypted {
            stage = url.scheme.isEncrypted ? .tls : conversation.stage
            return ended(.reset)
        }
        return leave(.succeeded)
    }

    private mutating func secured(_ handshake: TLSHandshakeCompleted, _ now: ContinuousClock.Instant) -> [ProbeAction] {
        complete(.tls, now)
        if let first = report.certificate, first != handshake.certificate {
            let message = "the server shows another certificate than a moment ago"
            return failAtOnce(ProbeFault(.certificateChanged, message))
        }
        report.certificate = handshake.certificate
        report.tlsVersion = handshake.protocolVersion.rawValue
        report.isServerProven = handshake.isPeerProven
        conversation.isServerProven = handshake.isPeerProven
        return depth > .tls ? talk(now) : leave(.succeeded)
    }

    private mutating func tlsFailed(_ failure: TLSFailure, sawBytes: Bool) -> [ProbeAction] {
        report.certificate = failure.certificate ?? report.certificate
        return failAtOnce(ProbeFault(failure, sawBytes: sawBytes))
    }

    // MARK: Talking

    private mutating func talk(_ now: ContinuousClock.Instant) -> [ProbeAction] {
        phase = .talking
        return enter(conversation.stage, now) + perform(conversation.start(), now)
    }

    private mutating func perform(_ steps: [ConversationStep], _ now: ContinuousClock.Instant) -> [ProbeAction] {
        var actions: [ProbeAction] = []
        for step in steps {
            switch step {
            case .send(let text):
                // Each request has the whole time of its stage, also the second try after a challenge.
                actions += [.send(text), .setTimer(.stage, deadlines[conversation.stage])]
            case .reply(let text): actions.append(.send(text))
            case .part(let part): actions.append(.pass(part))
            case .sendFrame(let frame): actions.append(.sendFrame(frame))
            case .keepAlive(let pause): actions.append(.setTimer(.keepAlive, pause))
            case .awaitPicture:
                // A watch waits for its first key frame as long as packets come.
                if watches, stage == .firstFrame { actions.append(.clearTimer(.overall)) }
                actions.append(.setTimer(.stage, deadlines.firstFrame))
            case .completed(let done):
                complete(done, now)
                actions += enter(conversation.stage, now)
            case .failed(let fault): return actions + fail(fault)
            case .finished:
                guard watches else { return actions + leave(.succeeded) }
                guard let picture else {
                    if hasDelivered { continue }
                    let message = "the key frame has more than \(CodedPicture.byteLimit >> 20) MiB"
                    return actions + fail(ProbeFault(.noFrame, message, .flood))
                }
                hasDelivered = true
                actions += [.clearTimer(.overall), .pass(.picture(picture))]
            case .ended: return actions + leave(.succeeded)
            case .reconnect:
                phase = .reconnecting
                return actions + [.clearTimer(.stage), .close]
            }
        }
        return actions
    }

    /// What a server may send in the present stage, TLS and all: many times what any camera does.
    ///
    /// Each request has it anew. A camera that plays sends some 20 MB in the time that its first frame may take.
    var byteBudget: Int {
        switch stage {
        case .dns, .tcp, .tls: 1 << 18
        case .options, .describe, .setup, .play: 1 << 21
        case .firstFrame: 1 << 26
        }
    }

    /// How many messages a server may send in a stage: ten times the packets of any camera's first frame.
    static var messageBudget: Int { 250_000 }

    private var flood: ProbeFault {
        let reason: ProbeReason =
            switch stage {
            case .dns, .tcp, .tls: .tlsFailed
            case .options, .describe, .setup, .play: .rtspInvalid
            case .firstFrame: .noFrame
            }
        let detail = stage == .firstFrame ? "; \(conversation.timeout(in: nil).message)" : ""
        return ProbeFault(
            reason,
            "the server sent more than \(byteBudget >> 10) kB, or \(Self.messageBudget) messages\(detail)",
            .flood
        )
    }

    private mutating func goOn(_ steps: [ConversationStep], _ now: ContinuousClock.Instant) -> [ProbeAction]? {
        steps.isEmpty ? nil : perform(steps, now)
    }

    private mutating func ended(_ end: ConnectionEnd, in part: Conversation.Parser.Message? = nil) -> [ProbeAction] {
        let fault =
            stage < conversation.stage
            ? ProbeFault(.closedEarly, "the server \(end.verb) the connection before TLS was established")
            : conversation.failure(endedBy: end, in: part)
        return failAtOnce(fault)
    }

    private mutating func timedOut(in part: Conversation.Parser.Message?) -> [ProbeAction] {
        let fault =
            switch stage {
            case .dns: ProbeFault(.dnsFailed, "the system's resolver did not answer in time", .resolverSilent)
            case .tcp: ProbeFault([.timedOut], port: url.port)
            case .tls: ProbeFault(.tlsTimeout, "the connection stands, but the TLS handshake does not end")
            case .options, .describe, .setup, .play, .firstFrame: conversation.timeout(in: part)
            }
        return fail(fault)
    }

    // MARK: Leaving

    private mutating func fail(_ fault: ProbeFault) -> [ProbeAction] { leave(.failed(failure(fault))) }

    /// For a connection that can no longer be used.
    private mutating func failAtOnce(_ fault: ProbeFault) -> [ProbeAction] {
        report.outcome = .failed(failure(fault))
        return close()
    }

    private func failure(_ fault: ProbeFault) -> ProbeFailure {
        ProbeFailure(
            reason: fault.reason,
            stage: stage,
            message: conversation.redaction.apply(fault.message),
            cause: fault.cause
        )
    }

    /// Ends the probe with `outcome`, and first ends the session if there is or may be one.
    private mutating func leave(_ outcome: ProbeReport.Outcome) -> [ProbeAction] {
        report.outcome = outcome
        guard case .talking = phase else { return close() }
        if conversation.isSettingUp {
            phase = .awaitingSession
            return [.clearTimer(.overall), .setTimer(.stage, deadlines.closing)]
        }
        return sendTeardown()
    }

    /// PAUSE and TEARDOWN get half of the time each.
    private mutating func sendTeardown(after answer: Conversation.Parser.Message? = nil) -> [ProbeAction] {
        guard let request = conversation.teardownRequest(after: answer) else { return close() }
        phase = .leaving
        return [.clearTimer(.overall), .setTimer(.stage, deadlines.closing / 2), .send(request)]
    }

    /// Ends the session although answers can no longer be read.
    private mutating func sendFinalRequest(after part: Conversation.Parser.Message?) -> [ProbeAction] {
        conversation.finalRequest(after: part).map { [.send($0)] } ?? []
    }

    private mutating func close() -> [ProbeAction] {
        let isUnderWay = if case .reconnecting = phase { true } else { false }
        phase = .closing
        return ProbeTimer.allCases.map(ProbeAction.clearTimer) + (isUnderWay ? [] : [.close])
    }

    private mutating func finish() -> [ProbeAction] {
        phase = .finished
        noteFindings()
        report.certificate = report.certificate.map(redacted)
        return [.finish(report)]
    }

    private func redacted(_ certificate: CertificateReport) -> CertificateReport {
        var certificate = certificate
        certificate.subject = conversation.redaction.apply(certificate.subject)
        certificate.issuer = conversation.redaction.apply(certificate.issuer)
        certificate.commonName = certificate.commonName.map(conversation.redaction.apply)
        return certificate
    }

    // MARK: Bookkeeping

    private mutating func enter(_ next: ProbeStage, _ now: ContinuousClock.Instant) -> [ProbeAction] {
        stage = next
        stageStart = now
        return [.setTimer(.stage, deadlines[next])]
    }

    private mutating func complete(_ stage: ProbeStage, _ now: ContinuousClock.Instant) {
        // The further pictures of a watch complete the last stage again.
        report.latencies[stage] = report.latencies[stage] ?? now - stageStart
        noteFindings()
    }

    private mutating func noteFindings() {
        report.video = conversation.video
        report.isAuthorized = conversation.isAuthorized
    }
}
