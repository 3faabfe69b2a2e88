/// What a connection must do in time while it is open; a value that only compares times.
struct Supervision: Sendable {
    /// The broker has to acknowledge a message within this time.
    let acknowledgeTimeout: Duration
    /// A reader has to handle what it was given within this time.
    let readerTimeout: Duration
    /// How often keep-alive is looked at: PINGREQ goes out within 1.25 keep-alives, and a broker waits for 1.5.
    let keepAliveInterval: Duration?
    private var keepAliveAt: ContinuousClock.Instant?

    init(_ configuration: MQTTConfiguration, keepAlive: Duration, at now: ContinuousClock.Instant) {
        acknowledgeTimeout = configuration.publishTimeout
        // The broker ends a connection that is silent for 1.5 keep-alives, and nothing is sent meanwhile.
        readerTimeout = keepAlive == .zero ? configuration.readerTimeout : min(configuration.readerTimeout, keepAlive)
        keepAliveInterval = keepAlive == .zero ? nil : keepAlive / 4
        keepAliveAt = keepAliveInterval.map { now + $0 }
    }

    /// When to look again.
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
            // Publishes wait for the reader as well, so its time counts first.
            guard now >= heldSince + readerTimeout else { return nil }
            return MQTTDisconnectReason(
                .readerTimeout,
                "Messages were not handled within \(readerTimeout); the broker delivers them again."
            )
        }
        if let oldestPublish, now >= oldestPublish + acknowledgeTimeout {
            return MQTTDisconnectReason(
                .acknowledgeTimeout,
                "The broker did not acknowledge a message within \(acknowledgeTimeout)."
            )
        }
        return nil
    }

    /// Whether keep-alive must be checked now; the check counts as done.
    mutating func takeKeepAlive(at now: ContinuousClock.Instant) -> Bool {
        guard let keepAliveAt, let keepAliveInterval, now >= keepAliveAt else { return false }
        self.keepAliveAt = now + keepAliveInterval
        return true
    }
}
