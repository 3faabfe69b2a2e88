import Logging
import MQTT
import TestSupport
import Testing

@testable import Bridge

@Suite("What is logged of the connection to the broker")
struct ConnectionReportTests {
    private let start = ContinuousClock.now
    private static let unreachable = MQTTDisconnectReason(.unreachable, "Connection refused.")
    private static let lost = MQTTDisconnectReason(.connectionLost, "It broke.")

    private func report() -> ConnectionReport {
        let configuration = MQTTConfiguration(endpoint: .tcp(host: "nas", port: 1_883), clientID: "bridge")
        return ConnectionReport(configuration)
    }

    private var session: MQTTSession {
        get async throws {
            let broker = try await MosquittoBroker.start()
            let configuration = MQTTConfiguration(endpoint: .tcp(host: "127.0.0.1", port: broker.port), clientID: "")
            return try await MQTTClient.withConnection(configuration) { client in
                for await case .connected(let session) in client.events() { return session }
                throw TestFailure("not connected")
            }
        }
    }

    @Test func `An unreachable broker is logged with advice at once, then after 1, 10 and 60 minutes`() {
        var report = report()
        var times: [Int] = []
        for minute in 0..<200 {
            let event = MQTTConnectionEvent.connectFailed(Self.unreachable, retryIn: .seconds(12))
            guard let line = report.line(for: event, at: start + .seconds(60 * minute)) else { continue }
            times.append(minute)
            #expect(line.level == .warning)
            #expect(line.metadata["broker"] == "mqtt://nas:1883")
            #expect(line.metadata["reason"] == "Connection refused.")
            #expect(line.metadata["advice"] == "Check the address and the port in mqtt.url, and that the broker runs.")
        }
        #expect(times == [0, 1, 11, 71, 131, 191])
    }

    @Test func `Another failure is logged at once`() {
        var report = report()
        let codes: [MQTTDisconnectReason.Code] = [.unreachable, .unreachable, .refused, .closedOnConnect]
        let lines = codes.map {
            report.line(for: .connectFailed(MQTTDisconnectReason($0, ""), retryIn: .seconds(1)), at: start) != nil
        }
        #expect(lines == [true, false, true, true])
    }

    @Test func `Not each coming and going of a connection that does not last is logged`() async throws {
        let session = try await session
        var report = report()
        var levels: [Logger.Level] = []
        for second in 0..<30 {
            let events: [MQTTConnectionEvent] = [.connected(session), .disconnected(Self.lost, retryIn: .seconds(1))]
            levels += events.compactMap { report.line(for: $0, at: start + .seconds(second))?.level }
        }
        #expect(levels == [.info, .warning, .info])
    }

    @Test func `A loss after an hour is logged, however often that happens`() async throws {
        let session = try await session
        var report = report()
        var count = 0
        for hour in 0..<5 {
            _ = report.line(for: .connected(session), at: start + .seconds(3_600 * hour))
            let event = MQTTConnectionEvent.disconnected(Self.lost, retryIn: .seconds(1))
            if report.line(for: event, at: start + .seconds(3_600 * hour + 3_599)) != nil { count += 1 }
        }
        #expect(count == 5)
    }

    @Test(
        arguments: [
            (.closedOnConnect, nil, .v5, "set mqtt.protocol to 3.1.1"),
            (.closedOnConnect, nil, .v5, "mqtts://"),
            (.closedOnConnect, nil, .v311, "retain_available"),
            (.refused, 132, .v5, "mqtt.protocol to 3.1.1"),
            (.refused, 134, .v5, "mqtt.username and mqtt.password"),
            (.refused, 135, .v311, "mqtt.username and mqtt.password"),
            (.refused, 133, .v5, "mqtt.client_id"),
            (.refused, 155, .v5, "max_qos"),
            (.closedByBroker, 142, .v5, "Another client uses the client id 'bridge'"),
            (.refused, 134, .v5, "Set mqtt.username and mqtt.password."),
            (.refused, 135, .v5, "Set mqtt.username and mqtt.password."),
            (.closedByBroker, 149, .v5, "max_packet_size"),
            (.protocolError, nil, .v5, "mqtts://"),
            (.timeout, nil, .v5, "mqtts://"),
            (.connectionLost, nil, .v5, "another client may use the client id 'bridge'"),
            (.nameNotResolved, nil, .v5, "host name"),
            (.tlsFailed, nil, .v5, "mqtt:// in mqtt.url"),
            (.readerTimeout, nil, .v5, "disk"),
            (.closedOnConnect, nil, .v5, "mqtt.certificate and mqtt.key to one that the broker accepts. The"),
        ] as [(MQTTDisconnectReason.Code, UInt8?, MQTTProtocolVersion, String)]
    )
    func `The log advises what to look at`(
        code: MQTTDisconnectReason.Code,
        reason: UInt8?,
        version: MQTTProtocolVersion,
        expected: String
    ) {
        var configuration = MQTTConfiguration(endpoint: .tcp(host: "nas", port: 1_883), clientID: "bridge")
        configuration.protocolVersion = version
        configuration.userName = expected.hasPrefix("Set mqtt.username") ? nil : "u"
        var why = MQTTDisconnectReason(code, "", reason: reason.map(MQTTReasonCode.init(rawValue:)))
        why.hadTLS = expected.hasPrefix("mqtt.certificate")
        #expect(configuration.advice(for: why).contains(expected))
    }
}
