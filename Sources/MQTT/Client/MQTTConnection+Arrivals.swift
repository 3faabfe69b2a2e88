/// Messages of the broker on their way to the subscriptions.
extension MQTTConnection {
    /// A message as the library reported it; nothing was acknowledged yet.
    struct Arrival: Sendable {
        var message: MQTTMessage
        let id: UInt16
        let identifiers: [UInt32]
    }

    /// How long a message of a resumed session waits for who wants it.
    private static var claimPeriod: Duration { .seconds(5) }

    func arrive(_ arrival: Arrival) {
        if claimTimer != nil, arrival.message.qos > .atMostOnce,
            registry.recipients(of: arrival.message, identifiers: arrival.identifiers).isEmpty
        {
            unclaimed.append(arrival)
        } else {
            handOver(arrival)
        }
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
        var waiting: [Arrival] = []
        swap(&waiting, &unclaimed)
        for arrival in waiting { arrive(arrival) }
        settleSoon()
    }

    /// The broker sends again what was not acknowledged.
    func forgetUnclaimed() { (claimTimer, unclaimed) = (nil, []) }

    private func handOver(_ arrival: Arrival) {
        var message = arrival.message
        let isExactlyOnce = inspector.inbound.handedOver(arrival.id)
        if isExactlyOnce { message.qos = .exactlyOnce }
        deliver(message, arrival.identifiers)
        if message.qos > .atMostOnce { owe(isExactlyOnce ? .pubrec : .puback, arrival.id) }
    }
}
