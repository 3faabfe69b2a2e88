import Cameras
import Foundation
import MQTT
import OpenSSL
import PrinterSimulator
import TestSupport
import Testing

@testable import PrinterReport

@Suite("A question to a printer", .endsAll, .timeLimit(.minutes(5)))
struct WitnessTests {
    private let witness = Witness(ReportLedger(), logger: quietLogger)

    @Test(arguments: [false, true])
    func `A question is answered by the report, also of a printer silent to TLS 1.3, and ends with DISCONNECT`(
        isSilentToTLS13: Bool
    ) async throws {
        let printer = try await SimulatedReports.x1c { $0.fault = isSilentToTLS13 ? .silentToTLS13 : nil }
        var witness = witness
        (witness.timeout, witness.reportTimeout) = (.seconds(60), .seconds(60))
        #expect(await witness.ask(printer.target()) == .success(CameraReport(liveview: "on", isPresent: true)))
        var expected = SimulatedReports.Counts()
        (expected.connections, expected.disconnects, expected.reports) = (1, 1, 1)
        #expect(try await printer.countsAtEnd() == expected)
    }

    @Test(arguments: [TrustPolicy.any, .named(reportSerial), .firstUse(sha256: nil)])
    func `The witness does not send the access code to a certificate that proves nothing`(trust: TrustPolicy)
        async throws
    {
        let printer = try await SimulatedReports.x1c()
        #expect(await witness.ask(printer.target(trust: trust)) == .failure(.serverUnproven))
        #expect(printer.counts == SimulatedReports.Counts())
    }

    @Test func `The witness gives a silent printer up, and ends with DISCONNECT`() async throws {
        let printer = try await SimulatedReports.x1c { $0.fault = .silent }
        var witness = witness
        witness.reportTimeout = .milliseconds(300)
        #expect(await witness.ask(printer.target()) == .failure(.silent))
        #expect(try await printer.countsAtEnd().disconnects == 1)
    }

    /// What is wrong, and what the question finds.
    static let faults: [(String, @Sendable (inout SimulatedReports.Behavior) -> Void, ReportProblem)] = [
        ("no place is free", { $0.fault = .full }, .closed),
        ("CONNECT is not answered", { $0.fault = .hang }, .silent),
        ("SUBSCRIBE is not answered", { $0.isDeaf = true }, .silent),
    ]

    @Test(arguments: faults.indices)
    func `The witness ends where the printer does not accept it`(index: Int) async throws {
        let (what, change, problem) = Self.faults[index]
        let printer = try await SimulatedReports.x1c(change)
        #expect(await witness.ask(printer.target()) == .failure(problem), "\(what)")
    }

    @Test func `The witness finds a closed port at once`() async throws {
        let printer = try await SimulatedReports.x1c()
        await printer.stop()
        #expect(await witness.ask(printer.target()) == .failure(.unreachable))
    }

    @Test func `The witness ends with DISCONNECT when it is cancelled`() async throws {
        let printer = try await SimulatedReports.x1c { $0.fault = .silent }
        let question = Task { await witness.ask(printer.target()) }
        try await eventually("the report is asked for") { printer.counts.reports == 1 }
        question.cancel()
        _ = await question.value
        #expect(try await printer.countsAtEnd().disconnects == 1)
    }

    @Test func `A question speaks MQTT 3.1.1 as bblp to a real broker and subscribes to reports only`() async throws {
        let folder = try TemporaryDirectory()
        let certificate = try SelfSignedCertificate.make(commonName: reportSerial)
        let (chain, key) = (folder.file("certificate.pem"), folder.file("key.pem"))
        try certificate.certificatePEM.write(to: chain, atomically: true, encoding: .utf8)
        try certificate.keyPEM.write(to: key, atomically: true, encoding: .utf8)
        var options = MosquittoBroker.Options()
        options.certificate = (chain, key)
        options.passwords = ["bblp": "12345678"]
        let broker = try await MosquittoBroker.start(options)
        let trust = TrustPolicy.pinned(sha256: certificate.fingerprint)
        let endpoint = try MQTTEndpoint.tls(host: "127.0.0.1", port: broker.port, trust: trust)
        let printer = MQTTConfiguration(endpoint: endpoint, clientID: "x1c", userName: "bblp", password: "12345678")
        try await MQTTClient.withConnection(printer) { client in
            let topic = try MQTTTopic("device/\(reportSerial)/report")
            try await client.publish(MQTTMessage(topic: topic, payload: sampleReport, retain: true))
        }
        var target = ReportTarget(
            host: "127.0.0.1",
            serial: reportSerial,
            accessCode: "12345678",
            trust: trust,
            family: .x
        )
        target.port = broker.port
        #expect(try await witness.ask(target).get().liveview == "on")
        target.accessCode = "wrong"
        #expect(await witness.ask(target) == .failure(.codeRefused))
        let log = broker.log
        #expect(log.contains("as printer2mqtt-") && log.contains("(p2, c1, k30, u'bblp')"))
        #expect(log.contains("device/\(reportSerial)/report (QoS 0)"))
        #expect(log.contains(/Received DISCONNECT from printer2mqtt-/))
    }
}
