import CameraProtocols
import PrinterSamples
import StoredSettings
import TestSupport
import Testing

@testable import Announcements
@testable import Printers

@Suite("A printer is heard at another address", .timeLimit(.minutes(5)))
struct AddressWatchTests {
    private let store = InMemorySettingsStore()
    private let registry: PrinterRegistry
    private let events = Recorder<PrinterEvent>()
    private let announcements: AsyncStream<PrinterAnnouncement>
    private let air: AsyncStream<PrinterAnnouncement>.Continuation

    init() {
        registry = PrinterRegistry(over: store)
        (announcements, air) = AsyncStream.makeStream()
    }

    private func announce(_ address: String) throws {
        let datagram = PrinterAnnouncementTests.notify(serial: "00M00A000000001")
        air.yield(try #require(PrinterAnnouncement(datagram, from: address)))
    }

    /// Lets a watch run while `body` runs.
    private func watching(
        _ verify: @escaping AddressWatch.Verify,
        heard: @escaping @Sendable (PrinterID) async -> Void = { _ in },
        _ body: () async throws -> Void
    ) async throws {
        let watch = AddressWatch(
            registry: registry,
            verify: verify,
            post: { [events] in events.add($0) },
            heard: heard,
            logger: .quiet
        )
        let running = Task { await watch.run(announcements) }
        defer { running.cancel() }
        try await body()
    }

    /// Lets a watch run that finds `proof` while `body` runs.
    private func watching(
        _ proof: AnnouncedAddress.Proof?,
        follows: Bool,
        _ body: () async throws -> Void
    ) async throws {
        await registry.receive(
            "x1",
            """
            {"printer_ip": "192.0.2.7", "access_code": "12345678", "serial": "00M00A000000001", "follow_address": \(follows)}
            """
        )
        try await registry.remember(CameraRecord(.init(endpoint: "192.0.2.7:322", pin: .firstSeen("5a"))), of: "x1")
        try await watching({ _, _, _ in proof }) {
            // Twice, once the watch knows the printer.
            try await eventually("the new address is looked at") {
                try announce("192.0.2.8")
                try announce("192.0.2.8")
                let printer = registry["x1"]
                return printer?.announcedAddress != nil || printer?.committed.author == "announcement"
            }
            try await body()
        }
    }

    @Test func `An announcement is passed on only from the configured address and the right printer`() async throws {
        let settings = [
            "x1": #""192.0.2.7", "serial": "00M00A000000001""#, "x2": #""192.0.2.7", "serial": "00M00A000000002""#,
            "x3": #""192.0.2.7""#, "x4": #""192.0.2.9""#, "x5": #""192.0.2.7", "probe_enabled": false"#,
            "x6": #""192.0.2.7", "camera_url": "http://192.0.2.7/video""#,
        ]
        for (id, values) in settings {
            await registry.receive(
                try #require(PrinterID(id)),
                #"{"access_code": "12345678", "printer_ip": \#(values)}"#
            )
        }
        let heard = Recorder<PrinterID>()
        try await watching({ _, _, _ in nil }, heard: { heard.add([$0]) }) {
            try await eventually("both are heard") {
                try announce("192.0.2.7")
                return Set(heard.all) == ["x1", "x3"]
            }
            await registry.receive("x1", #"{"printer_ip": "192.0.2.8"}"#)
            try await eventually("x1 is heard at its new address only") {
                let before = heard.all.count
                try announce("192.0.2.8")
                try announce("192.0.2.7")
                try await eventually("both are handled") { heard.all.count >= before + 2 }
                return Array(heard.all.dropFirst(before)) == ["x1", "x3"]
            }
        }
        #expect(Set(heard.all) == ["x1", "x3"])
    }

    private var printer: Printer { get async throws { try #require(registry["x1"]) } }

    @Test func `A proven and wanted address is persisted, with only the trusted certificate kept`() async throws {
        try await watching(.proven, follows: true) {
            let printer = try await printer
            #expect(printer.committed.printerIP == "192.0.2.8")
            #expect(printer.announcedAddress == nil)
            #expect(printer.camera == CameraRecord(.init(endpoint: "192.0.2.8:322", pin: .firstSeen("5a"))))
            #expect(store.record("printer/x1")?.values["printer_ip"] == "192.0.2.8")
            try await eventually("it is said") {
                events.all.map(\.kind) == [.addressChanged]
                    && events.all.first?.details == ["address": "192.0.2.8", "proof": "proven"]
            }
        }
    }

    @Test(arguments: [(AnnouncedAddress.Proof.claimed, true), (.proven, false)])
    func `Else people are asked, until they take it over`(proof: AnnouncedAddress.Proof, follows: Bool) async throws {
        try await watching(proof, follows: follows) {
            #expect(try await printer.committed.printerIP == "192.0.2.7")
            let announced = AnnouncedAddress("192.0.2.8", proof)
            #expect(try await printer.announcedAddress == announced)
            try await eventually("it is said") {
                events.all.map(\.details) == [["address": "192.0.2.8", "proof": .string(announced.proof.rawValue)]]
            }
            await registry.receive("x1", #"{"printer_ip": "192.0.2.8"}"#)
            #expect(try await printer.announcedAddress == nil)
        }
    }

    @Test(arguments: [
        #"{"printer_ip": "192.0.2.9"}"#, #"{"printer_ip": null}"#, #"{"serial": "00M00A000000002"}"#,
        #"{"access_code": ""}"#, #"{"probe_enabled": false}"#,
    ])
    func `A proposal is void once the printer is somewhere else, or another one, or none`(change: String) async throws {
        try await watching(.claimed, follows: false) {
            await registry.receive("x1", change)
            let printer = try await printer
            #expect(printer.announcedAddress == nil)
        }
    }

    @Test func `A printer that is well at an IPv6 address, where none is heard, has not moved`() async throws {
        let looks = Recorder<String>()
        await registry.receive(
            "x1",
            #"{"printer_ip": "2001:db8::7", "access_code": "12345678", "serial": "00M00A000000001", "follow_address": true}"#
        )
        let target = try #require(registry["x1"].flatMap { ProbeTarget($0.committed) })
        _ = await registry.record(.healthy, of: "x1", target: target, validity: .seconds(60))
        let verify: AddressWatch.Verify = { address, _, _ in
            looks.add([address])
            return nil
        }
        try await watching(verify) {
            for _ in 0..<20 {
                try announce("192.0.2.8")
                try await Task.sleep(for: .milliseconds(5))
            }
            #expect(looks.all.isEmpty)
            for _ in 1...2 {
                _ = await registry.record(.failed(.tcpTimeout), of: "x1", target: target, validity: .seconds(60))
            }
            // Not the address above, which was judged to be worth a look once in five minutes.
            try await eventually("it is looked for") {
                try announce("192.0.2.9")
                return looks.all == ["192.0.2.9"]
            }
        }
    }
}
