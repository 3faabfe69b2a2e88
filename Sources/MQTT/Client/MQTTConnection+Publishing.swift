/// Publishing: the queue in front of libmosquitto.
extension MQTTConnection {
    /// Not a method of the actor: to wait for its turn there and to come back costs two more handovers than the message
    /// itself.
    nonisolated func publish(_ message: MQTTMessage) async throws -> MQTTPublishAcknowledgement {
        let ticket = makeTicket()
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { promise in
                guard !Task.isCancelled else { return promise.resume(throwing: CancellationError()) }
                hand(message, ticket, promise)
                // A cancellation that came in between has found nothing.
                if Task.isCancelled { abandon(ticket) }
            }
        } onCancel: {
            abandon(ticket)
        }
    }

    /// At once where the caller is on the loop's thread, else later.
    private nonisolated func hand(_ message: MQTTMessage, _ ticket: UInt64, _ promise: PublishPromise) {
        if loop.core.isCurrent {
            assumeIsolated { $0.admit(message, ticket, promise) }
        } else {
            onLoop { $0.admit(message, ticket, promise) }
        }
    }

    private nonisolated func abandon(_ ticket: UInt64) {
        onLoop { $0.publishes.abandon(ticket)?.resume(throwing: CancellationError()) }
    }

    private func admit(_ message: MQTTMessage, _ ticket: UInt64, _ promise: PublishPromise) {
        do throws(MQTTError) {
            try enqueue(message, ticket, promise)
        } catch {
            promise.resume(throwing: error)
        }
    }

    /// Sends the message, or lets it wait.
    private func enqueue(_ message: MQTTMessage, _ ticket: UInt64, _ promise: PublishPromise) throws(MQTTError) {
        guard !hasEnded else { throw MQTTError(.shutDown, "The client has ended.") }
        guard session != nil || configuration.whenOffline == .wait else {
            throw MQTTError(.notConnected, "There is no connection to the broker.")
        }
        if let refusal = session?.refusal(of: message) { throw refusal }
        switch publishes.enqueue(ticket, message, promise) {
        case .taken: break
        case .replaced(let older):
            older.resume(throwing: MQTTError(.superseded, "A newer message of the topic took its place."))
        case .full:
            throw MQTTError(.queueFull, "\(configuration.outgoingQueueLimit) messages wait to be sent already.")
        }
        guard session != nil, let handle else { return }
        let status = pump(handle)
        status.isFailure ? settle(status) : settleSoon()
    }

    /// Hands messages over while the window allows; fails if the connection does.
    func pump(_ handle: MosquittoHandle) -> MosquittoStatus {
        while let item = publishes.next() {
            if let refusal = session?.refusal(of: item.message) {
                item.promise?.resume(throwing: refusal)
                continue
            }
            let (status, id) = handle.publish(item.message)
            if status.isFailure {
                item.promise?.resume(throwing: Self.error(for: status))
                if status.isOfConnection { return status }
            } else if let overtaken = publishes.sent(item, as: id) {
                overtaken.resume(throwing: MQTTError(.connectionLost, "The broker never answered."))
            }
        }
        return .success
    }

    func answered(_ id: UInt16, _ reason: MQTTReasonCode) {
        guard let promise = publishes.answered(id) else { return }
        if reason.isError {
            promise.resume(throwing: MQTTError(.refused, "The broker refuses the message: \(reason).", reason: reason))
        } else {
            promise.resume(returning: MQTTPublishAcknowledgement(reason: reason))
        }
    }

    func failPublishes(_ error: MQTTError) {
        for promise in publishes.removeAll() { promise.resume(throwing: error) }
    }

    private static func error(for status: MosquittoStatus) -> MQTTError {
        switch status.kind {
        case .oversize: MQTTError(.tooLarge, "The message is larger than the broker accepts.")
        case .invalid: MQTTError(.invalidTopic, "The properties of the message cannot be sent: \(status).")
        case .connection: MQTTError(.connectionLost, "The connection ended before the broker answered.")
        default: MQTTError(.library, "The message cannot be sent: \(status).")
        }
    }
}
