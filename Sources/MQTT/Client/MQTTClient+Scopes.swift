public import Logging

extension MQTTClient {
    /// Connects, runs `body` with the client, and ends the connection in good order when `body` returns or throws.
    ///
    /// A first attempt that fails is an error here; later on the client connects again by itself, as with ``run()``.
    ///
    /// ```swift
    /// try await MQTTClient.withConnection(.init(endpoint: .tcp(host: "localhost", port: 1883), clientID: "")) { client in
    ///     try await client.publish(MQTTMessage(topic: "hall/lamp", payload: "on"))
    /// }
    /// ```
    /// - Throws: What `body` throws; ``MQTTDisconnectReason`` if there is no connection; ``MQTTError``
    ///   `invalidConfiguration`; `CancellationError`.
    @discardableResult
    public static func withConnection<Result>(
        _ configuration: MQTTConfiguration,
        logger: Logger = Logger(label: "mqtt") { _ in SwiftLogNoOpLogHandler() },
        eventLoop: MQTTEventLoop = .shared,
        _ body: (MQTTClient) async throws -> Result
    ) async throws -> Result {
        let client = MQTTClient(configuration: configuration, logger: logger, eventLoop: eventLoop)
        return try await withThrowingTaskGroup(of: Void.self) { group in
            let events = client.events()
            group.addTask { try await client.run() }
            try await client.waitForConnection(events)
            do {
                let result = try await body(client)
                client.shutDown()
                try await group.waitForAll()
                return result
            } catch {
                client.shutDown()
                _ = await group.nextResult()
                throw error
            }
        }
    }

    private func waitForConnection(_ events: AsyncStream<MQTTConnectionEvent>) async throws {
        for await event in events {
            switch event {
            case .connected: return
            case .connectFailed(let reason, _), .disconnected(let reason, _): throw reason
            }
        }
        try Task.checkCancellation()
        try configuration.validate()
        throw MQTTError(.shutDown, "The client has ended.")
    }

    /// Subscribes, runs `body` with the messages, and unsubscribes when it returns or throws.
    ///
    /// - Throws: What ``subscribe(_:buffer:)`` and `body` throw.
    @discardableResult
    public func withSubscription<Result>(
        _ subscriptions: [MQTTSubscriptionOptions],
        buffer: MQTTBufferPolicy = .newest(1_000),
        _ body: (MQTTSubscription) async throws -> Result
    ) async throws -> Result {
        let subscription = try await subscribe(subscriptions, buffer: buffer)
        defer { subscription.cancel() }
        return try await body(subscription)
    }
}
