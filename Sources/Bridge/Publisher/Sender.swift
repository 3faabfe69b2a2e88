import MQTT

/// Sends messages in their order, as many at once as the client takes.
struct Sender: Sendable {
    let client: MQTTClient
    let counters: BridgeCounters

    /// Sends each message that could be made.
    ///
    /// - Parameters:
    ///   - messages: The messages, or why one could not be made.
    ///   - settle: Called for each, by its index, once the broker has taken or refused it.
    /// - Throws: When the connection is gone; what was not settled by then has to be sent again.
    func send(
        _ messages: [Result<MQTTMessage, MQTTError>],
        settle: (_ index: Int, _ refusal: MQTTError?) -> Void
    ) async throws {
        let client = client
        func done(_ index: Int, _ refusal: MQTTError?) {
            counters.count(refusal == nil ? .published : .refused)
            settle(index, refusal)
        }
        try await withThrowingTaskGroup(of: (Int, MQTTError?).self) { group in
            for (index, message) in messages.enumerated() {
                if index >= client.configuration.maximumInFlight, let (index, refusal) = try await group.next() {
                    done(index, refusal)
                }
                // At once: tasks that wait for a thread would overtake each other.
                group.addImmediateTask(executorPreference: client.executor) {
                    do {
                        try await client.publish(message.get())
                        return (index, nil)
                    } catch let error as MQTTError where error.isRefusal {
                        return (index, error)
                    }
                }
            }
            for try await (index, refusal) in group { done(index, refusal) }
        }
    }
}

extension MQTTError {
    /// Whether it is about the message, and not about the connection.
    fileprivate var isRefusal: Bool {
        switch code {
        case .refused, .tooLarge, .invalidTopic, .retainUnavailable, .qosUnavailable: true
        default: false
        }
    }
}
