/// The deadlines of an open connection, as a value that compares times.
struct ConnectionDeadlines: Sendable {
    /// How long the broker may take to acknowledge a message.
    let acknowledgeTimeout: Duration
    /// How long a reader may take to handle its messages.
    let readerTimeout: Duration
    /// How often keep-alive is checked: PINGREQ goes out within 1.25 keep-alives, and a broker waits for 1.5.
    let keepAliveInterval: Duration?
    private var keepAliveAt: ContinuousClock.Instant?

    init(_ configuration: MQTTConfiguration, keepAlive: Duration, at now: ContinuousClock.Instant) {
        acknowledgeTimeout = configuration.publishTimeout
        // A reader delays PINGREQ, which may be due after 1.25 keep-alives; the broker waits for 1.5.
        readerTimeout = keepAlive == .zero ? configuration.readerTimeout : min(configuration.readerTimeout, keepAlive)
        keepAliveInterval = keepAlive == .zero ? nil : keepAlive / 4
        keepAliveAt = keepAliveInterval.map { now + $0 }
    }

    /// When to ask for the next ``verdict(at:oldestPublish:heldSince:)``.
    func deadline(
        oldestPublish: ContinuousClock.Instant?,
        heldSince: ContinuousClock.Instant?
    ) -> ContinuousClock.Instant? {
        [oldestPublish.map { $0 + acknowledgeTimeout }, heldSince.map { $0 + readerTimeout }, keepAliveAt]
            .compactMap(\.self).min()
    }

    /// Why the connection must be closed; nil if all is in time.
    func verdict(
        at now: ContinuousClock.Instant,
        oldestPublish: ContinuousClock.Instant?,
        heldSince: ContinuousClock.Instant?
    ) -> MQTTDisconnectReason? {
        if let heldSince {
            // Publishes wait for the reader as well, so only its deadline counts.
            guard now >= heldSince + readerTimeout else { return nil }
            let message = "Messages were not handled within \(readerTimeout); the broker delivers them again."
            return MQTTDisconnectReason(.readerTimeout, message)
        }
        if let oldestPublish, now >= oldestPublish + acknowledgeTimeout {
            let message = "The broker did not acknowledge a message within \(acknowledgeTimeout)."
            return MQTTDisconnectReason(.acknowledgeTimeout, message)
        }
        return nil
    }

    /// Whether keep-alive must be checked now; if so, sets the time of the next check.
    mutating func isKeepAliveDue(at now: ContinuousClock.Instant) -> Bool {
        guard let keepAliveAt, let keepAliveInterval, now >= keepAliveAt else { return false }
        self.keepAliveAt = now + keepAliveInterval
        return true
    }
}
