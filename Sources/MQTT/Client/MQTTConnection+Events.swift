/// What libmosquitto reported.
extension MQTTConnection {
    func apply(_ event: MosquittoEvent, of handle: MosquittoHandle) {
        switch event {
        case .connected(let code, let isResumed):
            guard code == 0 else {
                let reason =
                    isV5 ? MQTTReasonCode(rawValue: code) : MQTTReasonCode.connectReturnCode(code)
                ending = MQTTDisconnectReason(.refused, "The broker refuses the client: \(reason).", reason: reason)
                return
            }
            accepted(MQTTSession(inspector.limits, isResumed: isResumed, configuration), handle)
        case .subscribed(let id, let codes):
            subscribed(id, codes)
        }
    }

    private func accepted(_ session: MQTTSession, _ handle: MosquittoHandle) {
        link = .open(session)
        let window = min(configuration.maximumInFlight, session.receiveMaximum)
        let failed = publishes.connected(isResumed: session.isResumed, window: window, refusal: session.refusal)
        for (promise, error) in failed { promise.resume(throwing: error) }
        if session.keepAlive > .zero {
            channel?.setPatience(max(session.keepAlive * 3 / 2, .seconds(5)))
            // A quarter of it: PINGREQ goes out within 1.25 keep-alives, and a broker waits for 1.5.
            let interval = max(session.keepAlive / 4, .milliseconds(250))
            keepAliveTimer = LoopTimer(on: loop.core, after: interval, repeats: true, leeway: interval / 10) {
                [weak self] in self?.assumeIsolated { $0.keepAlive() }
            }
        }
        opened = .now
        if session.isResumed { keepUnclaimed() }
        claim()
        hub.send(.connected(session))
        subscribeAll(handle)
        wake()
    }

    private func keepAlive() {
        // What is long takes its time, and PINGREQ would have to wait behind it.
        guard let handle, channel?.takeHasProgressed() != true else { return }
        var status = MosquittoStatus.success
        if isPaused || isHeard {
            // The library knows nothing of messages, and its answer may come after many of them, or wait unread behind
            // what a subscriber has no place for.
            isHeard = false
            status = Self.pingResponse.withUnsafeBytes { pass($0) }
        }
        if !status.isFailure { status = handle.keepAlive() }
        settle(status)
    }

    private static let pingResponse: [UInt8] = [0xd0, 0]

    /// The session of the last connection is left, or lives on until the next one.
    func leaveSession() {
        let error = MQTTError(.connectionLost, "The connection ended before the broker answered.")
        let promises = publishes.connectionEnded(
            keepsSession: !configuration.cleanStart,
            keepsWaiting: configuration.whenOffline == .wait
        )
        for promise in promises { promise.resume(throwing: error) }
    }
}

extension MQTTSession {
    /// Fills in what the specification says for limits that a CONNACK does not name.
    fileprivate init(_ limits: BrokerLimits, isResumed: Bool, _ configuration: MQTTConfiguration) {
        let isV5 = configuration.protocolVersion == .v5
        self.init(
            isResumed: isResumed,
            maximumPacketSize: limits.maximumPacketSize,
            receiveMaximum: limits.receiveMaximum ?? 65_535,
            isRetainAvailable: limits.isRetainAvailable ?? true,
            maximumQoS: limits.maximumQoS ?? .exactlyOnce,
            keepAlive: limits.keepAlive.map { .seconds($0) } ?? .seconds(configuration.keepAlive.wholeSeconds),
            assignedClientID: limits.assignedClientID,
            hasSubscriptionIdentifiers: isV5 && limits.hasSubscriptionIdentifiers ?? true,
            hasWildcards: limits.hasWildcards ?? true,
            hasSharedSubscriptions: limits.hasSharedSubscriptions ?? true
        )
    }
}
