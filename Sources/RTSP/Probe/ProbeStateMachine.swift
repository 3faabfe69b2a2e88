import NIOCore
import OpenSSL

/// A probe as a value: what happened goes in with its time, what to do comes out.
///
/// Whatever comes, it ends: every phase has a deadline, and after `close` the next `closed` brings `finish`.
struct ProbeStateMachine: Sendable {
    /// What happened.
    enum Event: Sendable {
        case started
        case resolved([SocketAddress])
        case unresolved(String)
        case connected
        case notConnected(ConnectFailure)
        case secured(TLSHandshakeCompleted)
        case tlsFailed(TLSFailure, sawBytes: Bool)
        case message(RTSPMessage)
        case unreadable(RTSPParseError)
        case ended(ConnectionEnd)
        case deadline(Timer)
        case cancelled
        /// The connection is closed and its descriptor free.
        case closed
    }

    /// What to do.
    enum Action: Sendable, Hashable {
        case resolve(host: String, port: Int)
        /// Connects, giving up the attempt before.
        case connect(SocketAddress)
        case startTLS
        case send(String)
        case setTimer(Timer, Duration)
        case clearTimer(Timer)
        /// Closes in order; answered with ``Event/closed``, also when there is nothing to close.
        case close
        case finish(ProbeReport)
    }

    /// One clock each, set anew by each ``Action/setTimer(_:_:)``.
    enum Timer: Sendable, Hashable, CaseIterable {
        case stage
        case overall
    }

    private enum Phase: Sendable {
        case idle
        case resolving
        case connecting(rest: ArraySlice<SocketAddress>, failures: [ConnectFailure])
        case securing
        case talking
        /// SETUP is in flight and might make a session.
        case awaitingSession
        case tearingDown
        case closing
        case finished
    }

    private let url: RTSPURL
    private let depth: ProbeDepth
    private let deadlines: ProbeDeadlines
    private var phase = Phase.idle
    private var stage = ProbeStage.dns
    private var stageStart = ContinuousClock.now
    private var conversation: RTSPConversation
    private var report: ProbeReport

    init(_ settings: RTSPConversation.Settings, deadlines: ProbeDeadlines) {
        url = settings.url
        depth = settings.depth
        self.deadlines = deadlines
        conversation = RTSPConversation(settings)
        report = ProbeReport(depth: settings.depth, outcome: .cancelled)
    }

    /// Takes an event; what no longer matters is ignored.
    mutating func handle(_ event: Event, at now: ContinuousClock.Instant) -> [Action] {
        switch (phase, event) {
        case (.finished, _): []
        case (.closing, .closed): finish()
        case (.closing, _): []
        case (.idle, .started): begin(now)
        case (.tearingDown, .message(let message)): conversation.isAnswer(message) ? close() : []
        case (.awaitingSession, .message(let message)): takeLateSession(message)
        case (.tearingDown, .cancelled), (.awaitingSession, .cancelled): []
        case (.tearingDown, _), (.awaitingSession, _): close()
        case (_, .cancelled): leave(.cancelled)
        case (.connecting, .deadline(.stage)): tryNext(after: .timedOut, now)
        case (_, .deadline): fail(ProbeReason(timeoutOf: stage), timeoutMessage)
        case (.resolving, .resolved(let addresses)): connect(addresses, now)
        case (.resolving, .unresolved(let why)): fail(.dnsFailed, why)
        case (.connecting, .connected): connected(now)
        case (.connecting, .notConnected(.reset)): resetAtOnce(now)
        case (.connecting, .notConnected(let failure)): tryNext(after: failure, now)
        case (.securing, .secured(let handshake)): secured(handshake, now)
        case (_, .tlsFailed(let failure, let sawBytes)): tlsFailed(failure, sawBytes: sawBytes)
        case (.talking, .message(let message)): perform(conversation.receive(message), now)
        case (.talking, .unreadable(let error)): unreadable(error)
        case (_, .ended(let end)): ended(end)
        case (_, .closed): ended(.closed)
        default: []
        }
    }

    // MARK: Getting there

    private mutating func begin(_ now: ContinuousClock.Instant) -> [Action] {
        phase = .resolving
        let overall = Action.setTimer(.overall, deadlines.overall)
        return [overall] + enter(.dns, now) + [.resolve(host: url.host, port: url.port)]
    }

    private mutating func connect(_ addresses: [SocketAddress], _ now: ContinuousClock.Instant) -> [Action] {
        guard let first = addresses.first else { return fail(.dnsFailed, "the name has no address") }
        if !url.hostIsAddress { report.latencies[.dns] = now - stageStart }
        phase = .connecting(rest: addresses.dropFirst(), failures: [])
        stage = .tcp
        stageStart = now
        return [.setTimer(.stage, attemptTime(addresses.count, now)), .connect(first)]
    }

    private mutating func tryNext(after failure: ConnectFailure, _ now: ContinuousClock.Instant) -> [Action] {
        guard case .connecting(let rest, let failures) = phase else { return [] }
        let all = failures + [failure]
        guard let next = rest.first, now - stageStart < deadlines.tcp else {
            return fail(ProbeReason(all), connectMessage(all))
        }
        phase = .connecting(rest: rest.dropFirst(), failures: all)
        return [.setTimer(.stage, attemptTime(rest.count, now)), .connect(next)]
    }

    /// What is left of the stage, shared fairly by the addresses that are left.
    private func attemptTime(_ count: Int, _ now: ContinuousClock.Instant) -> Duration {
        max(.zero, deadlines.tcp - (now - stageStart)) / max(1, count)
    }

    private mutating func connected(_ now: ContinuousClock.Instant) -> [Action] {
        complete(.tcp, now)
        guard depth > .tcp else { return leave(.succeeded) }
        guard url.scheme == .rtsps else { return depth > .tls ? talk(now) : leave(.succeeded) }
        phase = .securing
        return enter(.tls, now) + [.startTLS]
    }

    /// Accepted and thrown out: what a moment later would have met the next stage.
    private mutating func resetAtOnce(_ now: ContinuousClock.Instant) -> [Action] {
        complete(.tcp, now)
        if depth > .tcp, depth > .tls || url.scheme == .rtsps {
            stage = url.scheme == .rtsps ? .tls : .options
            return ended(.reset)
        }
        return leave(.succeeded)
    }

    private mutating func secured(_ handshake: TLSHandshakeCompleted, _ now: ContinuousClock.Instant) -> [Action] {
        complete(.tls, now)
        report.certificate = handshake.certificate
        report.tlsVersion = handshake.protocolVersion.rawValue
        return depth > .tls ? talk(now) : leave(.succeeded)
    }

    private mutating func tlsFailed(_ failure: TLSFailure, sawBytes: Bool) -> [Action] {
        report.certificate = failure.certificate ?? report.certificate
        return failAtOnce(ProbeReason(failure, sawBytes: sawBytes), failure.message)
    }

    // MARK: Talking

    private mutating func talk(_ now: ContinuousClock.Instant) -> [Action] {
        phase = .talking
        return enter(.options, now) + perform(conversation.start(), now)
    }

    private mutating func perform(_ steps: [RTSPConversation.Step], _ now: ContinuousClock.Instant) -> [Action] {
        var actions: [Action] = []
        for step in steps {
            switch step {
            case .send(let text):
                // Each request has the whole time for its answer, the second try after a challenge too.
                actions += [.send(text), .setTimer(.stage, deadlines[conversation.stage])]
            case .completed(let done):
                complete(done, now)
                actions += enter(conversation.stage, now)
            case .failed(let reason, let message): return actions + fail(reason, message)
            case .finished: return actions + leave(.succeeded)
            }
        }
        return actions
    }

    private mutating func unreadable(_ error: RTSPParseError) -> [Action] {
        // The answer could not be read, but the session has to go.
        let teardown = conversation.teardown().map { [Action.send($0)] } ?? []
        return teardown + failAtOnce(.rtspInvalid, error.description)
    }

    private mutating func ended(_ end: ConnectionEnd) -> [Action] {
        let how = end == .reset ? "reset" : "closed"
        let reason = ProbeReason(end, at: stage)
        let what = reason == .busy ? ": it may serve another viewer" : ""
        return failAtOnce(reason, "the server \(how) the connection \(place)\(what)")
    }

    // MARK: Leaving

    private mutating func fail(_ reason: ProbeReason, _ message: String) -> [Action] {
        leave(.failed(failure(reason, message)))
    }

    /// For a connection that is of no more use.
    private mutating func failAtOnce(_ reason: ProbeReason, _ message: String) -> [Action] {
        report.outcome = .failed(failure(reason, message))
        return close()
    }

    private func failure(_ reason: ProbeReason, _ message: String) -> ProbeFailure {
        ProbeFailure(reason: reason, stage: stage, message: conversation.redacted(message))
    }

    /// Ends with `outcome`, and with the session if there is or may be one.
    private mutating func leave(_ outcome: ProbeReport.Outcome) -> [Action] {
        report.outcome = outcome
        guard case .talking = phase else { return close() }
        if conversation.isSettingUp {
            phase = .awaitingSession
            return [.clearTimer(.overall), .setTimer(.stage, deadlines.closing)]
        }
        return tearDown()
    }

    private mutating func tearDown() -> [Action] {
        guard let teardown = conversation.teardown() else { return close() }
        phase = .tearingDown
        return [.clearTimer(.overall), .setTimer(.stage, deadlines.closing), .send(teardown)]
    }

    private mutating func takeLateSession(_ message: RTSPMessage) -> [Action] {
        guard conversation.isAnswer(message) else { return [] }
        conversation.noteSession(message)
        return tearDown()
    }

    private mutating func close() -> [Action] {
        phase = .closing
        return [.clearTimer(.stage), .clearTimer(.overall), .close]
    }

    private mutating func finish() -> [Action] {
        phase = .finished
        report.video = conversation.video
        report.server = conversation.server
        return [.finish(report)]
    }

    // MARK: Bookkeeping

    private mutating func enter(_ next: ProbeStage, _ now: ContinuousClock.Instant) -> [Action] {
        stage = next
        stageStart = now
        return [.setTimer(.stage, deadlines[next])]
    }

    private mutating func complete(_ stage: ProbeStage, _ now: ContinuousClock.Instant) {
        report.latencies[stage] = now - stageStart
    }

    private var place: String {
        switch stage {
        case .dns, .tcp, .tls: "before TLS was established"
        case .options, .describe, .setup, .play: "instead of answering \(stage.rawValue.uppercased())"
        case .firstFrame: "before the first key frame"
        }
    }

    private var timeoutMessage: String {
        switch stage {
        case .dns: "the name was not resolved in time"
        case .tcp: connectMessage([.timedOut])
        case .tls: "the connection stands, but the TLS handshake does not end"
        case .options, .describe, .setup, .play: "no complete answer to \(stage.rawValue.uppercased()) in time"
        case .firstFrame: conversation.frameProgress
        }
    }

    private func connectMessage(_ failures: [ConnectFailure]) -> String {
        if failures.contains(.refused) { return "port \(url.port) is closed" }
        for case .unreachable(let why) in failures { return "the host cannot be reached: \(why)" }
        return "no connection in time: the host is off, or at another address"
    }
}
