public import Logging
public import ServiceLifecycle
import Synchronization

/// An MQTT client that stays connected.
///
/// Start ``run()`` in a task or a `ServiceGroup`; everything else may be called from anywhere, any time. Each client has
/// one thread, which sleeps until there is something to do.
///
/// The logger gets lines at debug only: what happens is in ``events()`` and in errors. Neither topics nor payloads nor
/// passwords are logged.
public final class MQTTClient: Service, Sendable {
    /// What the client was told.
    public var configuration: MQTTConfiguration { connection.configuration }
    /// The client's thread.
    ///
    /// Code on it reads and publishes without changes of thread. It must not block.
    ///
    /// ```swift
    /// try await withTaskExecutorPreference(client.executor) {
    ///     for try await message in subscription { try await client.publish(answer(to: message)) }
    /// }
    /// ```
    public let executor: any TaskExecutor
    let connection: Connection
    private let members = Atomic<Int>(0)

    /// Makes a client, with its thread; nothing else happens before ``run()``.
    ///
    /// - Throws: ``MQTTError`` `library` if the system has no descriptor or thread left for the client.
    public init(configuration: MQTTConfiguration, logger: Logger) throws(MQTTError) {
        do { connection = try Connection(configuration: configuration, logger: logger) } catch {
            throw MQTTError(.library, "The system has nothing left for an MQTT client (\(error)).")
        }
        executor = PreferredExecutor(connection.thread)
    }

    deinit { connection.thread.stop() }

    /// Connects, and connects again whenever the connection is lost, until cancelled or shut down gracefully.
    ///
    /// A graceful shutdown waits for acknowledgements that are due (``MQTTConfiguration/shutdownGrace``), then sends
    /// DISCONNECT. If some are still missing then, and also after a cancellation, the broker publishes the will. A
    /// shutdown and a cancellation end within two seconds, whatever the broker does.
    ///
    /// - Throws: `CancellationError` when cancelled; ``MQTTError`` `invalidConfiguration`, or if it runs already;
    ///   `unhandledMessages`; `library` if libmosquitto has no descriptor or memory left.
    public func run() async throws { try await run(connection.makeRunNumber()) }

    private func run(_ run: UInt64) async throws {
        let connection = connection
        try await withTaskCancellationHandler {
            try await withGracefulShutdownHandler {
                try await connection.run(run)
            } onGracefulShutdown: {
                connection.requestStop(.graceful, of: run)
            }
        } onCancel: {
            connection.requestStop(.immediate, of: run)
        }
        try Task.checkCancellation()
    }

    /// The changes of the connection, beginning with the last one; ends with ``run()``.
    ///
    /// The 16 newest are kept for a slow reader, so that the last state is never missed.
    public func events() -> AsyncStream<MQTTConnectionEvent> { connection.hub.stream() }

    /// Publishes a message and waits for the broker's answer: PUBACK or PUBCOMP, at QoS 0 until it is written.
    ///
    /// Messages are sent in the order of the calls. A cancelled publish that waits for its turn is not sent; one
    /// that is in flight may still arrive.
    /// - Throws: ``MQTTError``, see its codes; `CancellationError`.
    @discardableResult
    public func publish(_ message: MQTTMessage) async throws -> MQTTPublishAcknowledgement {
        try await connection.publish(message)
    }

    /// Publishes messages in their order, without waiting.
    ///
    /// - Parameters:
    ///   - messages: At most ``MQTTConfiguration/outgoingQueueLimit``.
    ///   - answered: Called once on the client's thread, with the broker's answer to each message or the error that
    ///     ``publish(_:)-(MQTTMessage)`` would throw, when all are answered.
    public func publish(
        _ messages: [MQTTMessage],
        answered: @escaping @Sendable ([Result<MQTTPublishAcknowledgement, any Error>]) -> Void
    ) {
        connection.publish(messages, answered: answered)
    }

    /// Subscribes to filters and waits for the broker's answer, if need be for a connection.
    ///
    /// - Throws: What ``MQTTSubscription/confirmed()`` throws; ``MQTTError`` `invalidFilter`.
    public func subscribe(
        _ options: [MQTTSubscriptionOptions],
        buffer: MQTTBuffer = .newest(1_000)
    ) async throws -> MQTTSubscription {
        let subscription = subscription(to: options, buffer: buffer)
        try await subscription.confirmed()
        return subscription
    }

    /// Makes a subscription without waiting for the broker.
    ///
    /// Made before ``run()``, it misses nothing that a resumed session brings.
    public func subscription(
        to options: [MQTTSubscriptionOptions],
        buffer: MQTTBuffer = .newest(1_000)
    ) -> MQTTSubscription {
        connection.subscribe(options, buffer, as: members.add(1, ordering: .relaxed).newValue)
    }

    /// Subscribes, runs `body` with the messages, and unsubscribes when it returns or throws.
    ///
    /// - Throws: What ``subscribe(_:buffer:)`` and `body` throw.
    @discardableResult
    public func withSubscription<Result>(
        _ options: [MQTTSubscriptionOptions],
        buffer: MQTTBuffer = .newest(1_000),
        _ body: (MQTTSubscription) async throws -> Result
    ) async throws -> Result {
        let subscription = try await subscribe(options, buffer: buffer)
        defer { subscription.cancel() }
        return try await body(subscription)
    }

    /// Connects, runs `body` with the client, and ends the connection in good order when `body` returns or throws, also
    /// after a cancellation.
    ///
    /// A first attempt that fails is an error here; later on the client connects again by itself, as with ``run()``.
    ///
    /// ```swift
    /// try await MQTTClient.withConnection(configuration) { client in
    ///     try await client.publish(MQTTMessage(topic: "hall/lamp", payload: "on"))
    /// }
    /// ```
    /// - Throws: What `body` throws; ``MQTTDisconnectReason`` if there is no connection; ``MQTTError``
    ///   `invalidConfiguration` or `library`; `CancellationError`.
    @discardableResult
    public static func withConnection<Result>(
        _ configuration: MQTTConfiguration,
        logger: Logger = Logger(label: "mqtt") { _ in SwiftLogNoOpLogHandler() },
        _ body: (MQTTClient) async throws -> Result
    ) async throws -> Result {
        let client = try MQTTClient(configuration: configuration, logger: logger)
        let events = client.events()
        let number = client.connection.makeRunNumber()
        // Not a child of the calling task: cancelled with that, it would break the connection off without DISCONNECT.
        let run = Task { try await client.run(number) }
        let result: Swift.Result<Result, any Error>
        do {
            try await client.waitForConnection(events)
            result = .success(try await body(client))
        } catch { result = .failure(error) }
        client.connection.requestStop(.graceful, of: number)
        _ = await run.result
        return try result.get()
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
}

/// What the broker said of a message that it took.
public struct MQTTPublishAcknowledgement: Sendable, Hashable {
    /// `success`, or `noMatchingSubscribers` where the broker tells.
    public let reason: MQTTReasonCode
}
