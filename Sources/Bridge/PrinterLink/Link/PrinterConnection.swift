package import Logging
import MQTT
import StoredSettings
import Synchronization

/// One connection to a printer's MQTT, which reads its reports.
///
/// The access code is sent only to a server whose certificate proves that it is the printer. The connection subscribes
/// to the printer's reports and to nothing else: P1 and A1 printers cut off a client that asks for another topic.
package struct PrinterConnection: Sendable {
    /// How long name and TCP, and TLS and CONNACK, may take together.
    static let timeouts = (connect: Duration.seconds(3), acknowledge: Duration.seconds(5))
    /// A printer that is faster than its reader loses the oldest of so many messages.
    private static let bufferSize = 16

    private let client: MQTTClient
    private let requests: MQTTTopic
    private let messages: MQTTSubscription

    /// How many messages were lost because they came too fast.
    package var dropped: Int { messages.dropped }

    /// Connects, runs `body`, and ends the connection in good order, also when the task is cancelled.
    ///
    /// - Parameters:
    ///   - target: The printer.
    ///   - logger: Gets lines at debug.
    ///   - body: Works with the connection; cancelled with the calling task.
    /// - Returns: What `body` returns.
    /// - Throws: ``LinkProblem``; what `body` throws; `CancellationError`.
    package static func open<Result: Sendable>(
        _ target: LinkTarget,
        logger: Logger,
        _ body: @escaping @Sendable (PrinterConnection) async throws -> Result
    ) async throws -> Result {
        guard target.trust.provesServer else { throw LinkProblem.serverUnproven }
        let configuration = try configuration(target)
        let reports = MQTTSubscriptionOptions(try MQTTTopicFilter("device/\(target.serial)/report"), qos: .atMostOnce)
        let requests = try MQTTTopic("device/\(target.serial)/request")
        let cancellation = Cancellation()
        // Not a child of the calling task: that would break the connection off instead of sending DISCONNECT.
        let connection = Task {
            try await MQTTClient.withConnection(configuration, logger: logger) { client in
                let messages = client.subscription(to: [reports], buffer: .newest(bufferSize))
                cancellation.keep(messages)
                let work = Task {
                    try await messages.confirmed()
                    return try await body(PrinterConnection(client: client, requests: requests, messages: messages))
                }
                cancellation.set(isConnected: true) { work.cancel() }
                return try await work.value
            }
        }
        cancellation.set(isConnected: false) { connection.cancel() }
        do {
            return try await withTaskCancellationHandler {
                try await connection.value
            } onCancel: {
                cancellation.cancel()
            }
        } catch let reason as MQTTDisconnectReason {
            throw LinkProblem(reason, serial: target.serial)
        } catch is MQTTError {
            throw LinkProblem.lost
        }
    }

    private static func configuration(_ target: LinkTarget) throws -> MQTTConfiguration {
        let endpoint: MQTTEndpoint
        do throws(TLSFailure) {
            endpoint = try .tls(host: target.host, port: target.port, trust: target.trust)
        } catch {
            throw LinkProblem.tlsFailed
        }
        var configuration = MQTTConfiguration(
            endpoint: endpoint,
            clientID: clientID,
            userName: "bblp",
            password: MQTTPassword(target.accessCode.reveal())
        )
        // A refusal has another number in MQTT 5, and printers speak 3.1.1.
        configuration.protocolVersion = .v311
        configuration.keepAlive = .seconds(30)
        configuration.connectTimeout = timeouts.connect
        configuration.acknowledgeTimeout = timeouts.acknowledge
        configuration.reconnects = false
        configuration.maximumPacketSize = Report.limits.bytes
        configuration.limitsPacketSize = true
        return configuration
    }

    /// One name for each process.
    private static let clientID = "printer2mqtt-\(String(UInt32.random(in: .min ... .max), radix: 16))"

    package func send(_ request: PrinterRequest) async throws {
        try await client.publish(MQTTMessage(topic: requests, payload: request.rawValue, qos: .atMostOnce))
    }

    /// The messages that have arrived; waits for one.
    ///
    /// - Returns: Their payloads; nil when the connection has ended, or the task is cancelled.
    package func receive() async throws -> [[UInt8]]? {
        try await messages.nextBatch()?.map(\.payload)
    }
}

/// Cancels the work where it stands: the attempt to connect, or what runs on the connection.
private final class Cancellation: Sendable {
    private struct State {
        /// Kept until the connection has ended: a subscription that is released sends UNSUBSCRIBE.
        var messages: MQTTSubscription?
        var cancel: (@Sendable () -> Void)?
        var isCancelled = false
        var isConnected = false
    }

    private let state = Mutex(State())

    func keep(_ messages: MQTTSubscription) { state.withLock { $0.messages = messages } }

    func set(isConnected: Bool, _ cancel: @escaping @Sendable () -> Void) {
        let isCancelled = state.withLock { state in
            if isConnected || !state.isConnected { state.cancel = cancel }
            state.isConnected = state.isConnected || isConnected
            return state.isCancelled
        }
        if isCancelled { cancel() }
    }

    func cancel() {
        let cancel = state.withLock { state in
            state.isCancelled = true
            return state.cancel
        }
        cancel?()
    }
}
