import Logging
import Metrics

/// Subscriptions: registered here first, asked for at the broker on every connection.
extension MQTTConnection {
    func subscribe(
        _ subscriptions: [MQTTSubscriptionOptions],
        buffer: MQTTBufferPolicy
    ) async throws -> MQTTSubscription {
        try Task.checkCancellation()
        lastMember += 1
        let member = lastMember
        let mailbox = SubscriptionMailbox(buffer, dropped: figures?.dropped) { [weak self] in
            self?.onLoop { $0.hasRoom(member) }
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { (promise: CheckedContinuation<Void, any Error>) in
                guard !Task.isCancelled else { return promise.resume(throwing: CancellationError()) }
                do throws(MQTTError) {
                    guard !hasEnded else { throw MQTTError(.shutDown, "The client has ended.") }
                    try registry.add(subscriptions, as: member, mailbox)
                } catch {
                    return promise.resume(throwing: error)
                }
                unconfirmed[member] = Set(subscriptions.map(\.filter))
                confirmations[member] = promise
                guard session != nil, let handle else { return }
                claim()
                send(registry.requests(for: member), handle)
                settle(.success)
            }
        } onCancel: {
            onLoop { $0.drop(member, CancellationError()) }
        }
        return MQTTSubscription(mailbox: mailbox) { [self] in
            onLoop { $0.drop(member, nil) }
        }
    }

    /// A new connection: everything is asked for again, and what a resumed session holds besides is given back.
    func subscribeAll(_ handle: MosquittoHandle) {
        for (id, member) in registry.members { unconfirmed[id] = Set(member.entries.map(\.filter)) }
        unsubscribe(registry.leftovers(isResumed: session?.isResumed == true), handle)
        send(registry.requestsForNewConnection(), handle)
    }

    private func send(_ requests: [SubscriptionRegistry<SubscriptionMailbox>.Request], _ handle: MosquittoHandle) {
        guard let session else { return }
        for request in requests {
            if let error = session.refusal(of: request.options) {
                refuse(request.options.filter, error)
                continue
            }
            let identifier = session.hasSubscriptionIdentifiers ? request.identifier : nil
            let (status, id) = handle.subscribe(request.options, identifier: identifier)
            if !status.isFailure {
                publishes.avoid(id)
                subscribing[id] = request.options.filter
            } else if !status.isOfConnection {
                refuse(request.options.filter, MQTTError(.invalidFilter, "The filter cannot be sent: \(status)."))
            }  // else the socket reports its end, and the next connection asks again.
        }
    }

    func subscribed(_ id: UInt16, _ codes: [MQTTReasonCode]) {
        guard let filter = subscribing.removeValue(forKey: id) else { return }
        if let code = codes.first, !code.isError {
            for member in registry.members(using: filter) { confirm(member, filter) }
        } else {
            let code = codes.first ?? .unspecifiedError
            refuse(filter, MQTTError(.refused, "The broker refuses the subscription: \(code).", reason: code))
        }
    }

    private func confirm(_ member: Int, _ filter: MQTTTopicFilter) {
        unconfirmed[member]?.remove(filter)
        guard unconfirmed[member]?.isEmpty == true else { return }
        unconfirmed[member] = nil
        confirmations.removeValue(forKey: member)?.resume()
    }

    private func refuse(_ filter: MQTTTopicFilter, _ error: MQTTError) {
        logger.warning("a subscription is refused", metadata: ["reason": "\(error.message)"])
        for member in registry.members(using: filter) {
            registry.members[member]?.mailbox.finish(.failure(error))
            drop(member, error)
        }
    }

    /// Ends a subscription for its owner (nil), or before it was confirmed.
    func drop(_ member: Int, _ error: (any Error)?) {
        guard let (dropped, unused) = registry.remove(member) else { return }
        dropped.mailbox.finish(.success(()))
        unconfirmed[member] = nil
        confirmations.removeValue(forKey: member)?.resume(throwing: error ?? CancellationError())
        hasRoom(member)
        guard session != nil, let handle else { return }
        unsubscribe(unused, handle)
        settle(.success)
    }

    private func unsubscribe(_ filters: [MQTTTopicFilter], _ handle: MosquittoHandle) {
        for filter in filters {
            publishes.avoid(handle.unsubscribe(filter))
            registry.released(filter)
        }
    }

    /// Passes a message on; the socket is not read while somebody who wants all has no place for more.
    func deliver(_ message: MQTTMessage, _ identifiers: [UInt32]) {
        figures?.received.increment()
        for (id, mailbox) in registry.recipients(of: message, identifiers: identifiers)
        where !mailbox.deliver(message) { full.insert(id) }
    }

    private func hasRoom(_ member: Int) {
        guard full.remove(member) != nil, full.isEmpty else { return }
        settleSoon()
    }

    func endSubscriptions() {
        full = []
        for mailbox in registry.removeAll() { mailbox.finish(.success(())) }
        for promise in confirmations.values {
            promise.resume(throwing: MQTTError(.shutDown, "The client was told to end."))
        }
        (confirmations, unconfirmed) = ([:], [:])
    }
}
