/// The life of a client's connections, as a value: events go in, actions come out.
///
/// Each function returns actions, which ``Connection`` performs in their order; none of them waits or does I/O.
struct ConnectionState: Sendable {
    enum Phase: Sendable, Hashable {
        /// The next attempt begins at this time.
        case disconnected(retryAt: ContinuousClock.Instant)
        /// Looks the name up, or connects TCP.
        case connecting
        /// TCP is connected; waits for the TLS handshake and CONNACK.
        case awaitingConnack
        case open(since: ContinuousClock.Instant)
        /// Waits for the last acknowledgements, before DISCONNECT, and until a time for readers that handle messages.
        case draining(until: ContinuousClock.Instant)
        /// DISCONNECT is sent; waits until the broker closes the connection.
        case leaving
        case ended
    }

    enum Action: Sendable, Hashable {
        case lookUp
        case dial(address: String)
        case report(MQTTConnectionEvent)
        case disconnect(MQTTReasonCode)
        /// Closes the socket, without DISCONNECT.
        case close
        case finish
    }

    enum Stop: Sendable, Hashable {
        /// Waits for acknowledgements, then sends DISCONNECT.
        case graceful
        /// Ends at once, so that the broker publishes the will.
        case immediate
    }

    private let configuration: MQTTConfiguration
    private(set) var phase = Phase.ended
    private(set) var deadline: ContinuousClock.Instant?
    var isDraining: Bool { if case .draining = phase { true } else { false } }
    private(set) var backoff: Backoff
    /// The addresses that this attempt has not tried yet.
    private var addresses: ArraySlice<String> = []
    /// When this attempt has to be connected.
    private var reachedBy: ContinuousClock.Instant?

    init(_ configuration: MQTTConfiguration) {
        self.configuration = configuration
        backoff = Backoff(urgentPeriod: configuration.will?.delay ?? .zero, limit: configuration.reconnectLimit)
    }

    /// How long the broker may take to close the connection after DISCONNECT.
    private static let leaveTimeout = Duration.milliseconds(300)
    /// How long the end may wait for readers that handle messages.
    private static let holdLimit = Duration.seconds(5)

    mutating func start(at now: ContinuousClock.Instant) -> [Action] { attempt(at: now) }

    mutating func resolved(_ addresses: [String], at now: ContinuousClock.Instant) -> [Action] {
        guard phase == .connecting, self.addresses.isEmpty else { return [] }
        self.addresses = addresses[...]
        return dialNext(at: now)
    }

    mutating func reached(at now: ContinuousClock.Instant) {
        guard phase == .connecting else { return }
        phase = .awaitingConnack
        deadline = now + configuration.acknowledgeTimeout
    }

    mutating func accepted(_ session: MQTTSession, at now: ContinuousClock.Instant) -> [Action] {
        guard phase == .awaitingConnack else { return [] }
        phase = .open(since: now)
        deadline = nil
        backoff.accepted()
        return [.report(.connected(session))]
    }

    /// The attempt failed, or the connection ended.
    mutating func lost(
        _ reason: MQTTDisconnectReason,
        at now: ContinuousClock.Instant,
        fraction: Double = .random(in: 0...1)
    ) -> [Action] {
        switch phase {
        case .disconnected, .ended: return []
        case .connecting where !addresses.isEmpty:
            return [.close] + dialNext(at: now)
        case .connecting, .awaitingConnack:
            guard configuration.reconnects else { return end(reporting: .connectFailed(reason, retryIn: nil)) }
            backoff.failed()
            let pause = retry(at: now, fraction)
            return [.close, .report(.connectFailed(reason, retryIn: pause))]
        case .open(let since):
            guard configuration.reconnects else { return end(reporting: .disconnected(reason, retryIn: nil)) }
            backoff.lost(after: now - since, isTakeover: reason.reason == .sessionTakenOver, at: now)
            let pause = retry(at: now, fraction)
            return [.close, .report(.disconnected(reason, retryIn: pause))]
        case .draining, .leaving:
            return end(reporting: .disconnected(.requested, retryIn: nil))
        }
    }

    mutating func stop(_ stop: Stop, at now: ContinuousClock.Instant) -> [Action] {
        switch (phase, stop) {
        case (.ended, _), (.leaving, _), (.draining, .graceful): return []
        case (.disconnected, _): return end(reporting: nil)
        case (.connecting, _), (.awaitingConnack, _):
            return end(reporting: .connectFailed(.requested, retryIn: nil))
        case (.open, .graceful):
            phase = .draining(until: now + Self.holdLimit)
            waitForReaders(at: now)
            return []
        case (.open, .immediate), (.draining, .immediate):
            // Before MQTT 5, only a connection that ends without DISCONNECT publishes the will.
            guard configuration.protocolVersion == .v5 else {
                return end(reporting: .disconnected(.requested, retryIn: nil))
            }
            return leave(.disconnectWithWill, at: now)
        }
    }

    /// A reader still handles messages: the time for its answers has not begun.
    mutating func waitForReaders(at now: ContinuousClock.Instant) {
        guard case .draining(let end) = phase else { return }
        deadline = min(now + min(configuration.shutdownGrace, .milliseconds(1_500)), end)
    }

    mutating func drained(at now: ContinuousClock.Instant) -> [Action] {
        isDraining ? leave(.success, at: now) : []
    }

    /// Time has passed; call it at ``deadline`` at the latest.
    mutating func tick(at now: ContinuousClock.Instant) -> [Action] {
        guard let deadline, now >= deadline else { return [] }
        switch phase {
        case .disconnected: return attempt(at: now)
        case .connecting:
            return lost(MQTTDisconnectReason(.timeout, "The broker does not answer."), at: now)
        case .awaitingConnack:
            return lost(MQTTDisconnectReason(.timeout, "The broker accepts connections, but does not answer."), at: now)
        case .draining:
            // The last messages may not have arrived, so the broker publishes the will.
            return stop(.immediate, at: now)
        case .leaving: return lost(.requested, at: now)
        case .open, .ended: return []
        }
    }

    private mutating func attempt(at now: ContinuousClock.Instant) -> [Action] {
        phase = .connecting
        addresses = []
        let timeout = backoff.reachTimeout(at: now, configuration.connectTimeout)
        reachedBy = now + timeout
        deadline = reachedBy
        return [.lookUp]
    }

    /// Each address gets its share of the time that is left.
    private mutating func dialNext(at now: ContinuousClock.Instant) -> [Action] {
        guard let address = addresses.first, let reachedBy else { return [] }
        deadline = now + max(.zero, reachedBy - now) / addresses.count
        addresses = addresses.dropFirst()
        return [.dial(address: address)]
    }

    private mutating func leave(_ reason: MQTTReasonCode, at now: ContinuousClock.Instant) -> [Action] {
        phase = .leaving
        deadline = now + Self.leaveTimeout
        return [.disconnect(reason)]
    }

    private mutating func retry(at now: ContinuousClock.Instant, _ fraction: Double) -> Duration {
        let pause = backoff.pause(at: now, fraction: fraction)
        phase = .disconnected(retryAt: now + pause)
        deadline = now + pause
        return pause
    }

    private mutating func end(reporting event: MQTTConnectionEvent?) -> [Action] {
        phase = .ended
        deadline = nil
        return [.close] + (event.map { [.report($0)] } ?? []) + [.finish]
    }
}
