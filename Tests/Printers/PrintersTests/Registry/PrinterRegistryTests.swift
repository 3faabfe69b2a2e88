import CameraProtocols
import PrinterSamples
import StoredSettings
import TestSupport
import Testing

@testable import Printers

@Suite struct PrinterRegistryTests {
    private let store = FailingStore()
    private let registry: PrinterRegistry

    init() { registry = PrinterRegistry(over: store) }

    private func message(_ id: PrinterID, _ payload: String) -> ConfigMessage {
        ConfigMessage(printer: id, payload: Array(payload.utf8))
    }

    private func target(of id: PrinterID) async throws -> ProbeTarget {
        let printer = try #require(registry[id])
        return try #require(ProbeTarget(printer.committed))
    }

    @Test func `A new registry restores what is stored, in alphabetical order`() async throws {
        for id in ["x10", "a1", "x1"] as [PrinterID] { await registry.receive(id, #"{"serial": "\#(id)"}"#) }
        let next = PrinterRegistry(over: store)
        #expect(next.ids.isEmpty)
        try await next.load()
        #expect(next.ids == ["a1", "x1", "x10"])
        #expect(next["x10"]?.committed.serial == "x10")
        #expect(next["x10"]?.committed.record == registry["x10"]?.committed.record)
    }

    @Test func `A reader that does not wait sees all printers with their camera records, or none`() async throws {
        let ids = (0..<100).compactMap { PrinterID("x\($0)") }
        _ = await registry.apply(ids.map { message($0, "{}") })
        let camera = CameraRecord(.init(endpoint: "192.0.2.7:322", pin: .firstSeen("5a")))
        for id in ids { try await registry.remember(camera, of: id) }
        for _ in 0..<5 {
            let next = PrinterRegistry(over: store)
            let reader = Task { @concurrent in
                while next.ids.isEmpty, !Task.isCancelled { await Task.yield() }
                return next.all
            }
            defer { reader.cancel() }
            try await next.load()
            let seen = await reader.value
            #expect(seen.count == ids.count && seen.allSatisfy { $0.camera == camera })
        }
    }

    @Test func `Messages are applied in order and in one commit, each judged after the ones before it`() async throws {
        let outcomes = await registry.apply([
            message("x1", #"{"serial": "A"}"#), message("x2", #"{"serial": 5}"#), message("x1", #"{"serial": "B"}"#),
            message("x1", #"{"base_revision": 1, "set": {"serial": "C"}}"#), message("x1", #"{"serial": "B"}"#),
        ])
        #expect(outcomes.map(\.result?.status) == [.applied, .invalid, .applied, .conflict, .unchanged])
        #expect(outcomes.map(\.result?.revision) == [1, 0, 2, 2, 2])
        #expect(store.commitCount == 1)
        #expect(registry["x1"]?.committed.serial == "B")
        #expect(registry.ids == ["x1"])
    }

    @Test func `Under each new name a printer answers a repeated command and shows who renamed it`() async throws {
        await registry.receive("x1", #"{"id": "a", "set": {"serial": "A"}}"#)
        try await registry.rename("x1", to: "x2", by: .request)
        #expect(registry["x2"]?.committed.author == "request")
        let revision = registry["x2"]?.committed.revision
        #expect(await registry.receive("x2", #"{"id": "a", "set": {"serial": "A"}}"#)?.status == .applied)
        #expect(registry["x2"]?.committed.revision == revision)
        await registry.receive("x2", #"{"id": "b", "set": {"serial": "B"}}"#)
        await registry.receive("x2", #"{"serial": "C"}"#)
        try await registry.rename("x2", to: "x1")
        for id in ["a", "b"] { await registry.receive("x1", #"{"id": "\#(id)", "set": {"serial": "\#(id)"}}"#) }
        #expect(registry["x1"]?.committed.serial == "C")
    }

    @Test func `What was committed before the registry listened is not missed`() async throws {
        try await registry.load()
        let other = PrinterRegistry(over: store)
        await other.receive("x1", #"{"serial": "A"}"#)
        let following = Task { await registry.followStore() }
        defer { following.cancel() }
        try await eventually("x1 is there") { registry.ids == ["x1"] }
    }

    @Test func `A removed printer is gone with its settings and its pin`() async throws {
        await registry.receive("x1", #"{"printer_ip": "192.0.2.7", "access_code": "1"}"#)
        try await registry.remember(CameraRecord(.init(endpoint: "192.0.2.7:322", pin: .firstSeen("5a"))), of: "x1")
        #expect(try await registry.remove("x1"))
        #expect(registry["x1"] == nil)
        // A probe that ends now.
        try await registry.remember(CameraRecord(.init(endpoint: "192.0.2.7:322", pin: .firstSeen("5a"))), of: "x1")
        #expect(try store.scopes(prefix: "printer/") == [] && store.scopes(prefix: "pin/") == [])
        #expect(try await registry.remove("x1") == false)
    }

    @Test func `When the store fails the answer is an error, and nothing changes`() async throws {
        await registry.receive("x1", #"{"serial": "A"}"#)
        let before = registry["x1"]?.committed.record
        store.fails = true
        let result = try #require(
            await registry.receive("x1", #"{"id": "7", "set": {"serial": "B", "access_code": "hunter2"}}"#)
        )
        #expect(result.status == .failed)
        #expect(result.errors.map(\.message) == ["could not be saved: the disk is full"])
        #expect(result.id == "7")
        #expect(result.revision == 1)
        #expect(!result.json().contains("hunter2"))
        #expect(registry["x1"]?.committed.record == before)
        store.fails = false
        #expect(await registry.receive("x1", #"{"id": "7", "set": {"serial": "B"}}"#)?.status == .applied)
    }

    @Test func `A failure to save is told once, and its end after any save, even of a camera record`() async throws {
        await registry.receive("x1", #"{"printer_ip": "192.0.2.7", "access_code": "12345678"}"#)
        store.fails = true
        for fault in [SettingsError(.full, "the disk is full"), nil] {
            #expect(await registry.receive("x1", #"{"serial": "A"}"#)?.status == .failed)
            #expect(registry.saveFaults.take() == fault)
        }
        store.fails = false
        try await registry.remember(CameraRecord(.init(endpoint: "192.0.2.7:322", pin: .firstSeen("5a"))), of: "x1")
        #expect(await registry.saveFaults.next() == .some(nil))
    }

    @Test func `After a failure to save, a trial tells its end, and nothing else is written`() async throws {
        await registry.receive("x1", #"{"serial": "A"}"#)
        let commits = store.commitCount
        await registry.retrySaving()
        store.fails = true
        await registry.receive("x1", #"{"serial": "B"}"#)
        await registry.retrySaving()
        #expect(registry.saveFaults.take() == SettingsError(.full, "the disk is full"))
        store.fails = false
        await registry.retrySaving()
        #expect(await registry.saveFaults.next() == .some(nil))
        await registry.retrySaving()
        #expect(store.commitCount == commits + 1)
    }

    @Test func `What a probe saw becomes state, and whoever watches hears of it`() async throws {
        await registry.receive("x1", #"{"printer_ip": "192.0.2.7", "access_code": "1"}"#)
        let watcher = registry.watch()
        #expect(watcher.news.take() == ["x1"])
        let target = try await target(of: "x1")
        _ = await registry.record(.failed(.tcpRefused), of: "x1", target: target, validity: .seconds(60))
        let events = await registry.record(.healthy, of: "x1", target: target, validity: .seconds(60))
        #expect(events == [PrinterEvent(.streamRecovered, of: "x1", at: .noon)])
        #expect(registry["x1"]?.stream.status == .healthy)
        #expect(watcher.news.take() == ["x1"])
    }

    @Test func `A watcher hears of printers that come and go, and of the differences that concern it`() async throws {
        let watcher = registry.watch { $0.before.committed.serial != $0.now.committed.serial }
        let patches = [#"{"name": "a"}"#, #"{"name": "b"}"#, #"{"serial": "A"}"#]
        for (patch, isNews) in zip(patches, [true, false, true]) {
            await registry.receive("x1", patch)
            #expect(watcher.news.take() == (isNews ? ["x1"] : []), "\(patch)")
        }
        _ = try await registry.remove("x1")
        #expect(watcher.news.take() == ["x1"])
    }

    @Test func `What a probe saw at an old address is dropped`() async throws {
        await registry.receive("x1", #"{"printer_ip": "192.0.2.7", "access_code": "1"}"#)
        let target = try await target(of: "x1")
        await registry.receive("x1", #"{"printer_ip": "192.0.2.8"}"#)
        let report = ProbeReport.failed(.certificateChanged)
        let events = await registry.record(report, of: "x1", target: target, validity: .seconds(60))
        #expect(events.isEmpty)
        #expect(registry["x1"]?.stream.status == .unknown)
        #expect(await registry.record(.healthy, of: "x2", target: target, validity: .seconds(60)).isEmpty)
    }
}
