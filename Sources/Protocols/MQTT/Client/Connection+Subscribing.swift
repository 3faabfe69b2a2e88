import Concurrency
import Logging

/// Subscriptions: the client registers each once, and sends it to the broker on every connection.
extension Connection {
    /// How often a SUBSCRIBE is sent, if the broker takes its packet identifier for one in use.
    private static let subscribeAttempts = 100

    /// Registers a subscription, whose mailbox collects the messages that arrive from then on.
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
        if link?.accepted != nil { send(registry.requests(for: [member])) }
    }

    /// Waits until the broker has granted all filters of a subscription.
    private func awaitGrant(of member: Int) async throws {
        if let error = refused[member] { throw error }
        guard registry.members[member] != nil else { throw MQTTError(.shutDown, "The client has ended.") }
        guard unconfirmed[member] != nil else { return }
        try await awaitAnswer { confirmations[member, default: []].append($0) }
    }

    private func answerCallers(of member: Int, _ answer: Result<Void, any Error>) {
        for caller in confirmations.removeValue(forKey: member) ?? [] { caller.yield(answer) }
    }

    /// Sends all filters on a new connection, and unsubscribes those that only a resumed session still has.
    func subscribeAll(isResumed: Bool) {
        for (id, member) in registry.members { unconfirmed[id] = Set(member.options.map(\.filter)) }
        if isResumed { unsubscribe(registry.leftovers()) }
        send(registry.requests(for: registry.members.keys.sorted()))
    }

    private func send(_ requests: [Link.Request], attempt: Int = 1) {
        guard let handle = link?.handle, let session = link?.accepted?.session else { return }
        for request in requests {
            if let error = session.refusal(of: request.options) {
                refuse(request.options.filter, error)
                continue
            }
            let identifier = session.hasSubscriptionIdentifiers ? request.identifier : nil
            let (status, id) = handle.subscribe(request.options, identifier: identifier)
            if !status.isFailure {
                link?.accepted?.subscribing[id] = (request, attempt)
            } else if !status.isOfConnection {
                refuse(request.options.filter, MQTTError(.invalidFilter, "The filter cannot be sent (\(status))."))
            }  // Otherwise the connection ends, and the client sends the filter on the next one.
        }
    }

    func subscribed(_ id: UInt16, _ codes: [MQTTReasonCode]) {
        guard let (request, attempt) = link?.accepted?.subscribing.removeValue(forKey: id) else { return }
        let filter = request.options.filter
        let code = codes.first ?? .unspecifiedError
        // Some brokers confuse our packet identifiers with theirs, which MQTT keeps apart (5.0, section 2.2.1).
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
        answerCallers(of: member, .success(()))
    }

    private func refuse(_ filter: MQTTTopicFilter, _ error: MQTTError) {
        logger.debug("a subscription is refused", metadata: ["reason": "\(error.message)"])
        for member in registry.members(using: filter) {
            registry.members[member]?.mailbox.finish(.failure(error))
            refused[member] = error
            answerCallers(of: member, .failure(error))
            // The subscription of a reader that still handles messages is removed when the reader has finished.
            if !isHolding(member) { remove(member) }
        }
    }

    private func drop(_ member: Int) {
        refused[member] = nil
        answerCallers(of: member, .failure(CancellationError()))
        guard isHolding(member) else { return remove(member) }
        // On the next connection of this run the client would acknowledge the messages, although nobody reads them.
        let problem = "A subscription ended before its messages were handled; the broker delivers them to the next run."
        currentRun?.failure = MQTTError(.unhandledMessages, problem)
        perform(state.stop(.immediate, at: .now))
    }

    private func remove(_ member: Int) {
        unconfirmed[member] = nil
        unsubscribe(registry.remove(member))
    }

    private func unsubscribe(_ filters: [MQTTTopicFilter]) {
        guard let handle = link?.handle, link?.accepted != nil else { return }
        for filter in filters {
            handle.unsubscribe(filter)
            registry.unsubscribed(filter)
        }
    }

    private func isHolding(_ member: Int) -> Bool { link?.accepted?.holding.contains(member) == true }

    /// A reader has handled the messages that it was given.
    private func handled(_ member: Int) {
        guard registry.members[member]?.mailbox.isHolding == false, link?.accepted?.release(member) == true else {
            return
        }
        if refused[member] != nil { remove(member) }
    }

    func endSubscriptions(_ error: MQTTError) {
        for mailbox in registry.removeAll() { mailbox.finish(.success(())) }
        for member in Array(confirmations.keys) { answerCallers(of: member, .failure(error)) }
        unconfirmed = [:]
    }
}
