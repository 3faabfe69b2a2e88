import Concurrency
import JSON
package import Logging
import MQTT
package import OpenSSL
import Secrets

/// One connection to a printer's MQTT, which reads its reports.
///
/// The access code is sent only to a server whose certificate proves that it is the printer. The connection subscribes
/// to the printer's reports and to nothing else: P1 and A1 printers cut off a client that asks for another topic.
package struct PrinterConnection: Sendable {
    /// The time limits for the name lookup and TCP together, and for TLS and CONNACK together.
    static let timeouts = (connect: Duration.seconds(3), acknowledge: Duration.seconds(5))
    /// How many messages wait for the reader; if more arrive, the oldest is lost.
    private static let bufferSize = 16

    private let client: MQTTClient
    private let requests: MQTTTopic
    private let messages: MQTTSubscription

    /// How many messages were lost because they came too fast.
    package var dropped: Int { messages.dropped }

    /// Connects, runs `body`, and ends the connection in good order, also when it is cancelled.
    ///
    /// Notes a refused access code in `memory`. A failure is the reason why the connection was not made, or was lost.
    package static func open<Value: Sendable>(
        _ target: ReportTarget,
        _ memory: any ReportMemory,
        as clientID: String = newClientID(),
        logger: Logger,
        _ body: (PrinterConnection) async throws -> Value
    ) async -> Result<Value, ReportProblem> {
        guard target.trust.provesServer else { return .failure(.serverUnproven) }
        // Kept until the connection has ended: a subscription that is released sends UNSUBSCRIBE.
        let kept = LockedValue<MQTTSubscription?>(nil)
        defer { kept.value = nil }
        do {
            // A serial number with + or # names no topic.
            let filter = try MQTTTopicFilter("device/\(target.serial)/report")
            let reports = MQTTSubscriptionOptions(filter, qos: .atMostOnce)
            let requests = try MQTTTopic("device/\(target.serial)/request")
            let configuration = try configuration(target, clientID)
            let value = try await MQTTClient.withConnection(configuration, logger: logger) { client in
                let messages = client.subscription(to: [reports], buffer: .newest(bufferSize))
                kept.value = messages
                // The client's own limit ends with CONNACK.
                try await withTimeLimit(timeouts.acknowledge, or: ReportProblem.silent) {
                    try await messages.confirmed()
                }
                return try await body(PrinterConnection(client: client, requests: requests, messages: messages))
            }
            return .success(value)
        } catch {
            let reason = (error as? MQTTDisconnectReason).map { ReportProblem($0, serial: target.serial) }
            let problem = reason ?? error as? ReportProblem ?? .lost
            if problem == .codeRefused { await memory.noteRefusal(by: target) }
            return .failure(problem)
        }
    }

    private static func configuration(_ target: ReportTarget, _ clientID: String) throws -> MQTTConfiguration {
        let endpoint: MQTTEndpoint
        do throws(TLSFailure) {
            let client = try ExternalTLSClient(
                host: target.host,
                trust: target.trust,
                maximumVersion: .newestOfPrinters
            )
            endpoint = .tls(client, port: target.port)
        } catch {
            throw ReportProblem.tlsFailed
        }
        let code = Secret(target.accessCode.reveal())
        var configuration = MQTTConfiguration(endpoint: endpoint, clientID: clientID, userName: "bblp", password: code)
        // Printers speak MQTT 3.1.1, where a refusal has another code than in MQTT 5.
        configuration.protocolVersion = .v311
        configuration.keepAlive = .seconds(30)
        configuration.connectTimeout = timeouts.connect
        configuration.acknowledgeTimeout = timeouts.acknowledge
        configuration.reconnects = false
        configuration.maximumPacketSize = Report.limits.bytes
        configuration.limitsPacketSize = true
        return configuration
    }

    /// A reader's client id: its new connection replaces its old one, and no other reader's.
    package static func newClientID() -> String {
        "printer2mqtt-\(String(UInt32.random(in: .min ... .max), radix: 16))"
    }

    package func send(_ request: PrinterRequest) async throws {
        try await client.publish(MQTTMessage(topic: requests, payload: request.rawValue, qos: .atMostOnce))
    }

    /// Waits for a payload; nil when the connection has ended, or the task is cancelled.
    ///
    /// Returns one payload at a time, after its ``pause(before:)``. Otherwise a printer that sends without end would
    /// keep the threads that all printers share. Messages that arrive during the pause replace older ones.
    package func receive() async throws -> [UInt8]? {
        var iterator = messages.makeAsyncIterator()
        guard let payload = try await iterator.next()?.payload else { return nil }
        try? await Task.sleep(for: Self.pause(before: payload.count))
        return payload
    }

    /// Limits each printer to a megabyte or a thousand messages a second, over a hundred times what printers send.
    static func pause(before bytes: Int) -> Duration { .microseconds(1_000 + bytes) }
}

extension TLSVersion {
    /// The newest version that printers are offered.
    ///
    /// A P2S with firmware 01.02.00.00 never answers a ClientHello that offers 1.3. No printer needs it.
    package static let newestOfPrinters = tls12
}

/// All that is ever published to a printer: three constant texts, none of which controls it.
package enum PrinterRequest: String, Sendable, Hashable, CaseIterable {
    /// Asks for the whole report, which costs the printer much.
    case report = #"{"pushing":{"sequence_id":"0","command":"pushall"}}"#
    case version = #"{"info":{"sequence_id":"0","command":"get_version"}}"#
    /// Asks a printer that has become silent to go on.
    case start = #"{"pushing":{"sequence_id":"0","command":"start"}}"#

    /// The whole report is asked for no more often than this.
    package static let reportInterval = Duration.seconds(300)
}
