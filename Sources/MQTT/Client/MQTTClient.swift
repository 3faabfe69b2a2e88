public import Logging
public import ServiceLifecycle

/// An MQTT client that stays connected.
///
/// Start ``run()`` in a task or a `ServiceGroup`; everything else may be called from anywhere, any time.
///
/// Levels of the logger: *info* for connections made and lost, *warning* for what an operator should look at
/// (refusals, a suspected takeover), *debug* for single attempts.
/// Neither topics nor payloads nor passwords are logged.
public final class MQTTClient: Service, Sendable {
    /// What the client was told.
    public let configuration: MQTTConfiguration
    /// The thread that serves this client.
    public var eventLoop: MQTTEventLoop { connection.loop }
    let connection: MQTTConnection
    let requests: RequestDesk
    let figures: ClientFigures?
    private let isObserved: Bool

    /// Makes a client; nothing happens before ``run()``.
    public init(
        configuration: MQTTConfiguration,
        logger: Logger,
        eventLoop: MQTTEventLoop = .shared
    ) {
        self.configuration = configuration
        requests = RequestDesk(topic: configuration.responseTopic)
        figures = configuration.metrics.map(ClientFigures.init)
        isObserved = configuration.metrics != nil || configuration.tracer != nil
        connection = MQTTConnection(configuration: configuration, logger: logger, figures: figures, loop: eventLoop)
    }

    /// Connects, and connects again whenever the connection is lost, until cancelled or shut down gracefully.
    ///
    /// A graceful shutdown waits for acknowledgements that are due (``MQTTConfiguration/shutdownGrace``), then sends
    /// DISCONNECT. A cancellation sends DISCONNECT at once. Both end within two seconds, whatever the broker does.
    /// - Throws: `CancellationError` when cancelled; ``MQTTError`` `invalidConfiguration`, or if it runs already.
    public func run() async throws {
        let connection = connection
        let run = connection.makeRunNumber()
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
    public func events() -> AsyncStream<MQTTConnectionEvent> {
        connection.hub.stream()
    }

    /// Publishes a message and waits for the broker's answer: PUBACK or PUBCOMP, at QoS 0 until it is written.
    ///
    /// Messages are sent in the order of the calls. A cancelled publish that waits for its turn is not sent; one
    /// that is in flight may still arrive.
    /// - Throws: ``MQTTError``, see its codes; `CancellationError`.
    @discardableResult
    public func publish(_ message: MQTTMessage) async throws -> MQTTPublishAcknowledgement {
        try await isObserved ? publishObserved(message) : connection.publish(message)
    }

    /// Subscribes to filters and waits for the broker's answer, if need be for a connection.
    ///
    /// Messages that arrive before the answer, such as those of a resumed session, are in the sequence.
    /// - Throws: ``MQTTError`` `invalidFilter`, `refused` (one refused filter takes back all), `shutDown`;
    ///   `CancellationError`.
    public func subscribe(
        _ subscriptions: [MQTTSubscriptionOptions],
        buffer: MQTTBufferPolicy = .newest(1_000)
    ) async throws -> MQTTSubscription {
        try await connection.subscribe(subscriptions, buffer: buffer)
    }

    /// Ends the present ``run()`` as a graceful shutdown does.
    func shutDown() { connection.requestStop(.graceful, of: connection.lastRun) }
}
