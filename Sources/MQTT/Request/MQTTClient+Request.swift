extension MQTTClient {
    /// Publishes a request and waits for its answer (MQTT 5.0, section 4.10).
    ///
    /// The response topic and the correlation data are the client's own. Any number of requests may be under way.
    /// - Parameters:
    ///   - message: The request.
    ///   - timeout: How long it may take until the answer is there.
    /// - Returns: The answer.
    /// - Throws: ``MQTTError`` `noResponder` where the broker says that nobody listens, `timeout`, `needsMQTT5`, and what
    ///   ``publish(_:)`` and ``subscribe(_:buffer:)`` throw; `CancellationError`.
    public func request(_ message: MQTTMessage, timeout: Duration = .seconds(10)) async throws -> MQTTMessage {
        guard configuration.protocolVersion == .v5 else {
            throw MQTTError(.needsMQTT5, "Requests need MQTT 5: 3.1.1 has no response topics.")
        }
        let desk = requests
        let correlation = desk.begin()
        defer { desk.end(correlation) }
        var request = message
        request.properties.responseTopic = desk.topic
        request.properties.correlationData = correlation
        return try await withThrowingTaskGroup(of: MQTTMessage?.self) { [request] group in
            defer { group.cancelAll() }
            group.addTask { [self] in
                try await desk.open { [weak self] topic in
                    guard let self else { throw CancellationError() }
                    return try await subscribe(
                        [.init(MQTTTopicFilter(topic.name), retainHandling: .doNotSend)],
                        buffer: .suspend(1_000)
                    )
                }
                guard try await publish(request).reason != .noMatchingSubscribers else {
                    throw MQTTError(.noResponder, "Nobody subscribes to “\(request.topic)”.")
                }
                return try await desk.answer(to: correlation)
            }
            group.addTask {
                try await Task.sleep(for: timeout)
                return nil
            }
            guard let answer = try await group.next() ?? nil else {
                throw MQTTError(.timeout, "There was no answer on “\(request.topic)” within \(timeout).")
            }
            return answer
        }
    }

    /// Answers the requests on a topic until cancelled, or the client ends.
    ///
    /// A request without a response topic is not for this and passed over. An answer that cannot be sent, since the
    /// connection has gone or the broker refuses it, is dropped: the requester will find out by time.
    /// - Parameters:
    ///   - filter: The topics of the requests; `$share/<group>/…` shares them out among several servers.
    ///   - concurrency: How many are worked on at once; others wait, the last ones at the broker.
    ///   - handler: Makes the answer; nil means none.
    /// - Throws: What `handler` and ``subscribe(_:buffer:)`` throw; ``MQTTError`` `needsMQTT5`; `CancellationError`.
    public func respond(
        to filter: MQTTTopicFilter,
        concurrency: Int = 16,
        _ handler: @escaping @Sendable (_ request: MQTTMessage) async throws -> MQTTReply?
    ) async throws {
        guard configuration.protocolVersion == .v5 else {
            throw MQTTError(.needsMQTT5, "Answering requests needs MQTT 5: 3.1.1 has no response topics.")
        }
        let options = MQTTSubscriptionOptions(filter, retainHandling: .doNotSend)
        try await withSubscription([options], buffer: .suspend(100)) { requests in
            try await withThrowingTaskGroup(of: Void.self) { group in
                var running = 0
                for try await request in requests {
                    guard let topic = request.properties.responseTopic else { continue }
                    if running == max(1, concurrency) { try await group.next() } else { running += 1 }
                    group.addTask { [self] in
                        try await process(request) {
                            guard let reply = try await handler(request) else { return }
                            _ = try? await publish(reply.message(to: request, on: topic))
                        }
                    }
                }
                try await group.waitForAll()
            }
        }
        try Task.checkCancellation()
    }
}
