/// Messages of the broker on their way to the subscriptions.
extension MQTTConnection {
    /// How long a message of a resumed session waits for who wants it.
    private static var claimPeriod: Duration { .seconds(5) }

    func arrive(_ arrival: InboundMessage) {
        // Right behind CONNACK, what that means is not known yet.
        session == nil || isUnclaimed(arrival) ? unclaimed.append(arrival) : handOver(arrival)
    }

    private func isUnclaimed(_ arrival: InboundMessage) -> Bool {
        claimTimer != nil && arrival.message.qos > .atMostOnce
            && registry.recipients(of: arrival.message, identifiers: arrival.subscriptions).isEmpty
    }

    /// A session that was resumed brings what an earlier run of the program subscribed to, perhaps before this one did.
    ///
    /// It is kept unacknowledged meanwhile, so that the broker sends no more of it than it may.
    func keepUnclaimed() {
        claimTimer = LoopTimer(on: loop.core, after: Self.claimPeriod) { [weak self] in
            self?.assumeIsolated { connection in
                connection.claimTimer = nil
                connection.claim()
            }
        }
    }

    /// A subscription is new, or the time is over: what waited is looked at again.
    func claim() {
        guard !unclaimed.isEmpty else { return }
        var waiting: [InboundMessage] = []
        swap(&waiting, &unclaimed)
        for arrival in waiting { arrive(arrival) }
        settleSoon()
    }

    /// The broker sends again what was not acknowledged.
    func forgetUnclaimed() { (claimTimer, unclaimed) = (nil, []) }

    private func handOver(_ arrival: InboundMessage) {
        deliver(arrival.message, arrival.subscriptions)
        switch arrival.message.qos {
        case .atMostOnce: break
        case .atLeastOnce: owe(.puback, arrival.id)
        case .exactlyOnce:
            inspector.inbound.handedOver(arrival.id)
            owe(.pubrec, arrival.id)
        }
    }
}
