/// Publishing: the queue, and what the broker answers.
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
        onLoop { connection in
            connection.publishes.abandon(ticket)?.resume(throwing: CancellationError())
            if connection.stop == .graceful { connection.wake() }
        }
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
        if let refusal = message.refusal(isV5: isV5) ?? session?.refusal(of: message) { throw refusal }
        switch publishes.enqueue(ticket, message, promise) {
        case .taken: break
        case .replaced(let older):
            older.resume(throwing: MQTTError(.superseded, "A newer message of the topic took its place."))
        case .full:
            throw MQTTError(.queueFull, "\(configuration.outgoingQueueLimit) messages wait to be sent already.")
        }
        guard session != nil else { return }
        // At once, so that only what has no place on the way counts as waiting.
        pump() ? settle(.success) : settleSoon()
    }

    /// Writes what may be sent now; true if there may be more of it.
    func pump() -> Bool {
        guard let channel, session != nil, !channel.hasPending, farewell == nil, handle?.isLeaving == false else {
            return false
        }
        while channel.heldCount < channel.mostAtOnce {
            guard let step = publishes.next() else { return false }
            channel.hold { step.append(to: &$0, isV5: isV5) }
        }
        return true
    }

    func answered(_ type: PacketType, _ id: UInt16, _ reason: MQTTReasonCode) throws(ProtocolViolation) {
        switch try publishes.answered(type, id, reason) {
        case .none: break
        case .unknown: owe(.pubrel, id)
        case .settled(let promise, let reason) where reason.isError:
            promise.resume(throwing: MQTTError(.refused, "The broker refuses the message: \(reason).", reason: reason))
        case .settled(let promise, let reason): promise.resume(returning: MQTTPublishAcknowledgement(reason: reason))
        }
    }

    /// The system has what was sent.
    func settleWritten() {
        for promise in publishes.written() { promise.resume(returning: MQTTPublishAcknowledgement(reason: .success)) }
    }

    func failPublishes(_ error: MQTTError) {
        for promise in publishes.removeAll(keepsSession: !configuration.cleanStart) { promise.resume(throwing: error) }
    }
}
