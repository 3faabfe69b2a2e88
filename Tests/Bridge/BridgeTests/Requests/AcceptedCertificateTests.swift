import CameraProtocols
import Platform
import PrinterSamples
import StoredSettings
import TestSupport
import Testing

@testable import Bridge
@testable import Cameras
@testable import Printers

@Suite("A certificate that a person accepts", .timeLimit(.minutes(5)))
struct AcceptedCertificateTests {
    private static let seen = CertificateReport.sample.fingerprint
    private static let other = String(repeating: "ab", count: 32)
    private let store = InMemorySettingsStore()

    /// Shows the registry a probe that saw the certificate ``seen``.
    private func see(_ registry: PrinterRegistry) async {
        guard let target = registry["x1"].flatMap({ ProbeTarget($0.committed) }) else { return }
        _ = await registry.record(.changedCertificate, of: "x1", target: target, validity: .seconds(60))
    }

    private func registry(_ settings: String = "{}", pin: String? = other) async throws -> PrinterRegistry {
        let registry = PrinterRegistry(over: store)
        await registry.receive("x1", #"{"printer_ip": "192.0.2.7", "access_code": "1"}"#)
        let camera = pin.flatMap { CameraRecord(.init(endpoint: "192.0.2.7:322", pin: .firstSeen($0))) }
        if let camera { try await registry.remember(camera, of: "x1") }
        await registry.receive("x1", settings)
        return registry
    }

    private func probes(of printer: FakePrinter, _ registry: PrinterRegistry) -> ProbeService {
        ProbeService(
            registry: registry,
            probe: { _, target, known, _ in .found(await printer.probe(target, known: known)) },
            post: { _ in },
            logger: .quiet
        )
    }

    @Test func `An accepted certificate stays trusted over a restart and is shown beside the seen one`() async throws {
        let registry = try await registry()
        await see(registry)
        let shown = try #require(registry["x1"])
        let tree = shown.topics(in: RenderContext(topics: Topics(), epoch: "e", version: "1"))
        let stream = tree.values.map(\.payload).first { $0.contains("trusted_fingerprint") } ?? ""
        #expect(stream.contains(#""fingerprint":"\#(Self.seen)""#))
        #expect(stream.contains(#""trusted_fingerprint":"\#(Self.other)""#))

        try await registry.acceptCertificate(Self.seen.uppercased(), of: "x1")
        #expect(registry["x1"]?.trustedFingerprint == Self.seen)
        let next = PrinterRegistry(over: store)
        try await next.load()
        #expect(next["x1"]?.trustedFingerprint == Self.seen)
    }

    @Test func `Another one than the last probe saw is refused, and so is one that no pin trusts`() async throws {
        let rows: [(settings: String, printer: PrinterID, fingerprint: String, code: String)] = [
            ("unseen", "x1", Self.seen, "not_seen"), ("{}", "x1", Self.other, "not_seen"),
            ("{}", "x2", Self.seen, "not_found"),
            ("{}", "x1", "5a", "invalid_value"), (#"{"certificate": "any"}"#, "x1", Self.seen, "not_pinned"),
            (#"{"certificate": "printer_ca"}"#, "x1", Self.seen, "not_pinned"),
            (#"{"probe_enabled": false}"#, "x1", Self.seen, "not_probed"),
        ]
        for (settings, printer, fingerprint, code) in rows {
            let registry = try await registry(settings == "unseen" ? "{}" : settings)
            if settings != "unseen" { await see(registry) }
            let fault = await #expect(throws: ValidationError.self) {
                try await registry.acceptCertificate(fingerprint, of: printer)
            }
            #expect(fault?.code.rawValue == code, "\(settings) \(printer) \(fingerprint)")
            #expect(registry["x1"]?.camera?.own?.pin?.fingerprint == Self.other)
            await registry.receive("x1", #"{"certificate": null, "probe_enabled": null}"#)
        }
    }

    @Test func `A command does not take back what a person accepted during its probe`() async throws {
        let (registry, third) = (try await registry(), String(repeating: "c", count: 64))
        let command = PrinterRegistry(over: store)
        try await command.load()
        let fault = await #expect(throws: ValidationError.self) {
            try await command.acceptCertificate(Self.seen, of: "x1") { printer in
                var camera = printer.camera
                camera?.own?.pin = .accepted(third)
                try await registry.remember(camera, of: "x1", target: ProbeTarget(printer.committed))
                return .sample
            }
        }
        #expect(fault?.code.rawValue == "conflict")
        #expect(registry["x1"]?.trustedFingerprint == third)
        let next = PrinterRegistry(over: store)
        try await next.load()
        #expect(next["x1"]?.trustedFingerprint == third)
    }

    @Test func `A probe that was under way does not take back what a person accepted meanwhile`() async throws {
        let registry = try await registry()
        let printer = FakePrinter()
        printer.report = .failed(.certificateChanged)
        printer.hang()
        let running = Task { await probes(of: printer, registry).run() }
        defer { running.cancel() }
        try await eventually("it is probed") { printer.visits.map(\.pin) == [Self.other] }
        await see(registry)
        try await registry.acceptCertificate(Self.seen, of: "x1")
        printer.release()
        try await eventually("it is probed again, with the new pin") {
            printer.visits.map(\.pin) == [Self.other, Self.seen]
        }
        #expect(registry["x1"]?.camera?.own?.pin?.fingerprint == Self.seen)
    }

    @Test func `What another process accepts is taken up, and probed at once`() async throws {
        let registry = try await registry()
        let printer = FakePrinter()
        let running = [Task { await registry.followStore() }, Task { await probes(of: printer, registry).run() }]
        defer { for task in running { task.cancel() } }
        try await eventually("it is probed") { printer.visits.map(\.pin) == [Self.other] }
        let command = PrinterRegistry(over: store)
        try await command.load()
        try await command.acceptCertificate(Self.seen, of: "x1") { _ in .sample }
        try await eventually("it is probed again, with the new pin") {
            printer.visits.map(\.pin) == [Self.other, Self.seen]
        }
    }
}
