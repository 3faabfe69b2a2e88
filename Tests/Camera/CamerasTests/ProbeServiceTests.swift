import CameraProtocols
import Foundation
import OpenSSL
import PrinterSamples
import StoredSettings
import Synchronization
import TestSupport
import Testing

@testable import Cameras
@testable import Printers

@Suite(.timeLimit(.minutes(5))) struct ProbeServiceTests {
    private let store = FailingStore()
    private let registry: PrinterRegistry
    private let printer = FakePrinter()
    private let events = Recorder<PrinterEvent>()
    /// Whether each probe that counts found the camera well.
    private let counted = Recorder<Bool>()

    init() { registry = PrinterRegistry(over: store) }

    private func makeService(gate: CameraGate? = nil, of registry: PrinterRegistry? = nil) -> ProbeService {
        ProbeService(
            registry: registry ?? self.registry,
            probe: { [printer] _, target, known, _ in
                switch gate?.lease([CameraKey(address: target.url.host, port: target.url.port)]) {
                case .wait(let wait): return .wait(wait)
                case .granted(let lease):
                    defer { lease.end() }
                    return .found(await printer.probe(target, known: known))
                case nil: return .found(await printer.probe(target, known: known))
                }
            },
            count: { [counted] in counted.add([$0]) },
            post: { [events] in events.add($0) },
            logger: .quiet
        )
    }

    /// Runs a service while `body` runs.
    private func watching(gate: CameraGate? = nil, _ body: (ProbeService) async throws -> Void) async throws {
        let probes = makeService(gate: gate)
        let running = Task { await probes.run() }
        defer {
            printer.release()
            running.cancel()
        }
        try await body(probes)
        printer.release()
        running.cancel()
        await running.value
    }

    /// The same, while a probe of x1 is in flight.
    private func watchingProbe(_ body: (ProbeService) async throws -> Void) async throws {
        try await watching { probes in
            printer.hang()
            await configure()
            try await visits(1)
            try await body(probes)
        }
    }

    private func configure(_ id: PrinterID = "x1", address: String = "192.0.2.7", _ more: String = "") async {
        await registry.receive(id, #"{"printer_ip": "\#(address)", "access_code": "12345678"\#(more)}"#)
    }

    private func status(of id: PrinterID = "x1") async -> StreamStatus? { registry[id]?.stream.status }

    private func visits(_ count: Int) async throws {
        try await eventually("\(count) probes, not \(printer.visits.count)") { printer.visits.count >= count }
    }

    @Test func `A proven vendor certificate replaces a pin that the bridge set, once and with an event`() async throws {
        await configure(address: "192.0.2.7", #", "serial": "00M00A000000000""#)
        try await registry.remember(CameraRecord(.init(endpoint: "192.0.2.7:322", pin: .firstSeen("5b"))), of: "x1")
        printer.report = .healthy
        printer.report.isServerProven = true
        try await watching { probes in
            try await eventually("the proof") { registry["x1"]?.camera?.own?.pin?.isProven == true }
            #expect(await probes.probeSoon("x1"))
            try await visits(2)
        }
        #expect(printer.visits.map(\.pin) == ["5b", CertificateReport.sample.fingerprint])
        #expect(events.all.map(\.kind) == [.certificateReplaced])
    }

    @Test func `The first use of a certificate makes no second probe despite simultaneous changes`() async throws {
        printer.report = .healthy
        let changes = Task { [registry] in
            while !Task.isCancelled {
                await registry.update("x1") { $0.cameraStatus.viewers += 1 }
                await Task.yield()
            }
        }
        try await watching { _ in
            for host in 1...20 {
                await configure(address: "192.0.2.\(host)")
                try await visits(host)
                try await eventually("the pin") { registry["x1"]?.camera?.own?.endpoint == "192.0.2.\(host):322" }
                try await Task.sleep(for: .milliseconds(5))
            }
        }
        changes.cancel()
        #expect(printer.visits.count == 20)
    }

    @Test func `A printer is not probed while another bridge has it, and is probed when it returns`() async throws {
        let ownership = PrinterOwnership(group: "f", member: "a")
        let fleet = OwnedSettingsStore(InMemorySettingsStore(), ownership: ownership)
        let registry = PrinterRegistry(over: fleet)
        let probes = makeService(of: registry)
        func own(_ slots: Set<PrinterSlot>) async throws {
            ownership.remove(Set(PrinterSlot.all))
            ownership.insert(slots)
            try fleet.tellOwnership(of: ["x1"])
            await registry.catchUp()
        }
        ownership.setDeadline(.now + .seconds(60))
        try await own(Set(PrinterSlot.all))
        let running = Task { await probes.run() }
        await registry.receive("x1", #"{"printer_ip": "192.0.2.7", "access_code": "12345678"}"#)
        try await eventually("the probe has ended") { registry["x1"]?.stream.status == .healthy }
        printer.hang()
        #expect(await probes.probeSoon("x1"))
        try await visits(2)
        try await own([])
        let hasEnded = LockedValue(false)
        let release = Task {
            await probes.release(["x1"])
            hasEnded.value = true
        }
        try await Task.sleep(for: .milliseconds(100))
        #expect(!hasEnded.value, "the connection is open")
        printer.release()
        await release.value
        #expect(await !probes.probeSoon("x1"))
        try await own(Set(PrinterSlot.all))
        try await visits(3)
        running.cancel()
        await running.value
    }

    @Test func `A printer is probed as soon as it is configured, and what was seen is its state`() async throws {
        try await watching { _ in
            await registry.receive("x1", #"{"printer_ip": "192.0.2.7"}"#)
            #expect(await status() == .unconfigured)
            await registry.receive("x1", #"{"access_code": "12345678"}"#)
            try await eventually("it is healthy") { await status() == .healthy }
            #expect(printer.visits == [FakePrinter.Visit(host: "192.0.2.7", pin: nil)])
            let stream = try #require(registry["x1"]?.stream)
            let (end, start) = (try #require(stream.validUntil), try #require(stream.checkedAt))
            #expect(end.timeIntervalSince(start) >= 2.5 * 300)
        }
    }

    @Test func `A printer that was added a moment ago is probed on request`() async throws {
        let probes = makeService()
        #expect(await !probes.probeSoon("x1"))
        await configure()
        #expect(await probes.probeSoon("x1"))
    }

    /// What a person is told who asks now: the hosts' delays as `wait`, results as `found`.
    private func told(_ attempts: AsyncStream<ProbeAttempt>?) async throws -> [String] {
        var told: [String] = []
        for await attempt in try #require(attempts) {
            if case .wait = attempt { return told + ["wait"] }
            told.append("found")
        }
        return told
    }

    @Test func `A person gets the result of the next probe, or of the next with a picture if wanted`() async throws {
        try await watching { probes in
            #expect(await probes.attempts("x1", takesPicture: false) == nil)
            await configure()
            try await visits(1)
            printer.hang()
            #expect(await probes.probeSoon("x1"))
            try await visits(2)
            let routine = await probes.attempts("x1", takesPicture: false)
            let picture = await probes.attempts("x1", takesPicture: true)
            printer.release()
            #expect(try await told(routine) == ["found"])
            #expect(try await told(picture) == ["found"])
            #expect(printer.visits.count == 3, "the probe that was in flight took no picture")
            let passed = await probes.pictures.first { _ in true }
            #expect(passed?.picture.bytes == [3], "only the picture that was requested is passed on")
        }
    }

    @Test func `A person is told at once of a delay by the limits, and dismissed when probing ends`() async throws {
        try await watching(gate: CameraGate()) { probes in
            await configure()
            for number in 1...4 {
                try await visits(number)
                #expect(await probes.probeSoon("x1"))
            }
            // The fourth probe may be in flight still.
            try await eventually("the delay") {
                try await told(await probes.attempts("x1", takesPicture: false)) == ["wait"]
            }
            #expect(try await told(await probes.attempts("x1", takesPicture: false)) == ["wait"])
            let last = try #require(await probes.attempts("x1", takesPicture: true))
            await registry.receive("x1", #"{"probe_enabled": false}"#)
            for await attempt in last { if case .found = attempt { Issue.record("a fifth connection") } }
            #expect(printer.visits.count == 4)
        }
    }

    @Test func `A removed printer is not probed any more, and its probe in flight says nothing`() async throws {
        try await watchingProbe { probes in
            #expect(try await registry.remove("x1"))
            try await eventually("the service has seen it") { await !probes.probeSoon("x1") }
            printer.release()
            await configure("x2", address: "192.0.2.9")
            try await eventually("x2 is healthy") { await status(of: "x2") == .healthy }
            #expect(printer.visits.count == 2)
            #expect(try store.record("pin/x1") == nil)
        }
    }

    @Test func `At the end it waits until every probe has closed its connection`() async throws {
        let probes = makeService()
        let ended = Mutex(false)
        let running = Task {
            await probes.run()
            ended.withLock { $0 = true }
        }
        printer.hang()
        await configure()
        try await visits(1)
        running.cancel()
        for _ in 0..<200 { await Task.yield() }
        #expect(!ended.withLock { $0 })
        printer.release()
        await running.value
        #expect(await status() == .unknown, "a probe that was cancelled says nothing")
        #expect(counted.all.isEmpty, "it did not fail")
    }

    @Test func `A store that fails takes the pin, and not the state`() async throws {
        try await watchingProbe { _ in
            store.fails = true
            printer.release()
            try await eventually("it is healthy") { await status() == .healthy }
        }
        store.fails = false
        #expect(try store.record("pin/x1") == nil)
    }
}
