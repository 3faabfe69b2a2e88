import Logging

/// Subscriptions: registered here first, asked for at the broker on every connection.
extension Connection {
    /// Registers a subscription; everything that arrives from then on is in its mailbox.
    nonisolated func subscribe(
        _ options: [MQTTSubscriptionOptions],
        _ buffer: MQTTBuffer,
        as member: Int
    ) -> MQTTSubscription {
        let mailbox = SubscriptionMailbox(buffer) { [weak self] in self?.onThread { $0.handled(member) } }
        onThread { $0.register(options, mailbox, as: member) }
        return MQTTSubscription(
            mailbox: mailbox,
            confirmation: { [self] in try await awaitGrant(of: member) },
            unsubscribe: { [weak self] in self?.onThread { $0.drop(member) } }
        )
    }

    private func register(_ options: [MQTTSubscriptionOptions], _ mailbox: SubscriptionMailbox, as member: Int) {
        do throws(MQTTError) {
            guard !hasEnded else { throw MQTTError(.shutDown, "The client has ended.") }
            try registry.add(options, as: member, mailbox)
        } catch {
            refused[member] = error
            return mailbox.finish(.failure(error))
        }
        unconfirmed[member] = Set(options.map(\.filter))
        if session != nil { send(registry.requests(for: member)) }
    }

    /// Waits until the broker has granted all filters of a subscription.
    private func awaitGrant(of member: Int) async throws {
        if let error = refused[member] { throw error }
        guard unconfirmed[member] != nil else { return }
        let caller = makeTicket()
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { (promise: CheckedContinuation<Void, any Error>) in
                guard !Task.isCancelled else { return promise.resume(throwing: CancellationError()) }
                confirmations[member, default: [:]][caller] = promise
            }
        } onCancel: {
            onThread {
                $0.confirmations[member]?.removeValue(forKey: caller)?.resume(throwing: CancellationError())
            }
        }
    }

    private func settle(_ member: Int, _ result: Result<Void, any Error>) {
        for (_, promise) in confirmations.removeValue(forKey: member) ?? [:] { promise.resume(with: result) }
    }

    /// A new connection: every filter is asked for again, and what a resumed session holds besides is given back.
    func subscribeAll(isResumed: Bool) {
        for (id, member) in registry.members { unconfirmed[id] = Set(member.options.map(\.filter)) }
        if isResumed { unsubscribe(registry.leftovers()) }
        send(registry.requestsForNewConnection())
    }

    private func send(_ requests: [SubscriptionRegistry<SubscriptionMailbox>.Request], attempt: Int = 1) {
        guard let handle, let session else { return }
        for request in requests {
            if let error = session.refusal(of: request.options) {
                refuse(request.options.filter, error)
                continue
            }
            let identifier = session.hasSubscriptionIdentifiers ? request.identifier : nil
            let (status, id) = handle.subscribe(request.options, identifier: identifier)
            if !status.isFailure {
                subscribing[id] = (request, attempt)
            } else if !status.isOfConnection {
                refuse(request.options.filter, MQTTError(.invalidFilter, "The filter cannot be sent: \(status)."))
            }  // else the connection ends, and the next one asks again.
        }
    }

    func subscribed(_ id: UInt16, _ codes: [MQTTReasonCode]) {
        guard let (request, attempt) = subscribing.removeValue(forKey: id) else { return }
        let filter = request.options.filter
        let code = codes.first ?? .unspecifiedError
        // Some brokers confuse our packet identifiers with theirs, which MQTT keeps apart (5.0, section 2.2.1): take another.
        if code == .packetIdentifierInUse, attempt < Self.subscribeAttempts {
            return send([request], attempt: attempt + 1)
        }
        guard code.isError else {
            for member in registry.members(using: filter) { confirm(member, filter) }
            return
        }
        refuse(filter, MQTTError(.refused, "The broker refuses the subscription: \(code).", reason: code))
    }

    private func confirm(_ member: Int, _ filter: MQTTTopicFilter) {
        unconfirmed[member]?.remove(filter)
        guard unconfirmed[member]?.isEmpty == true else { return }
        unconfirmed[member] = nil
        settle(member, .success(()))
    }

    private func refuse(_ filter: MQTTTopicFilter, _ error: MQTTError) {
        logger.debug("a subscription is refused", metadata: ["reason": "\(error.message)"])
        for member in registry.members(using: filter) {
            registry.members[member]?.mailbox.finish(.failure(error))
            refused[member] = error
            settle(member, .failure(error))
            // Otherwise when its reader has handled what it was given before.
            if !holding.contains(member) { remove(member) }
        }
    }

    /// The owner of a subscription ends it.
    private func drop(_ member: Int) {
        refused[member] = nil
        settle(member, .failure(CancellationError()))
        guard holding.contains(member) else { return remove(member) }
        // On another connection of this run the messages would come without a reader, and be acknowledged.
        let problem = "A subscription ended before its messages were handled; the broker delivers them to the next run."
        failure = MQTTError(.unhandledMessages, problem)
        perform(state.stop(.immediate, at: .now))
    }

    private func remove(_ member: Int) {
        unconfirmed[member] = nil
        guard let (_, unused) = registry.remove(member) else { return }
        unsubscribe(unused)
    }

    private func unsubscribe(_ filters: [MQTTTopicFilter]) {
        guard let handle, session != nil else { return }
        for filter in filters {
            handle.unsubscribe(filter)
            registry.unsubscribed(filter)
        }
    }

    /// A reader has handled what it was given.
    private func handled(_ member: Int) {
        guard registry.members[member]?.mailbox.isHolding == false, holding.remove(member) != nil else { return }
        if refused[member] != nil { remove(member) }
        if holding.isEmpty { (heldSince, releasedAt) = (nil, .now) }
    }

    func endSubscriptions(_ error: MQTTError) {
        for mailbox in registry.removeAll() { mailbox.finish(.success(())) }
        for member in Array(confirmations.keys) { settle(member, .failure(error)) }
        unconfirmed = [:]
    }
}
