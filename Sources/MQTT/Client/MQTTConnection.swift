import Logging

actor MQTTConnection {
    enum Stop: Sendable { case graceful, immediate }
    nonisolated let loop: MQTTEventLoop
    nonisolated let hub = ConnectionEventHub()
    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    init(configuration: MQTTConfiguration, logger: Logger, loop: MQTTEventLoop) {
        self.loop = loop
    }
    func run() async throws {}
    nonisolated func requestStop(_ stop: Stop) {}
    func publish(_ message: MQTTMessage) async throws -> MQTTPublishAcknowledgement {
        throw MQTTError(.notConnected, "There is no connection to the broker.")
    }
    func subscribe(_ subscriptions: [MQTTSubscriptionOptions], buffer: MQTTBufferPolicy) async throws -> MQTTSubscription {
        throw MQTTError(.shutDown, "The client does not run.")
    }
}
