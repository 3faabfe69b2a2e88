import PrinterSamples
import SettingsTesting
import StoredSettings
import Testing

@testable import Printers

@Suite struct FileSettingsTests {
    private let store = InMemorySettingsStore()
    private let registry: PrinterRegistry

    init() { registry = PrinterRegistry(over: store) }

    @discardableResult
    private func start(with settings: [PrinterID: [String: JSONValue]]) async throws -> Set<PrinterID> {
        try await registry.apply(FileSettings(settings))
    }

    private func values(_ id: PrinterID) -> [String: JSONValue]? {
        store.record("printer/\(id)")?.values.filter { $0.key != "applied" }
    }

    @Test func `The file sets printers up, and changes nothing at the next start`() async throws {
        #expect(try await start(with: ["x1": .configured]) == ["x1"])
        #expect(values("x1") == .configured)
        let before = store.record("printer/x1")
        #expect(before?.updatedBy == "file")
        #expect(try await start(with: ["x1": .configured]).isEmpty)
        #expect(store.record("printer/x1") == before)
    }

    @Test func `A value that changes in the file is applied, and undoes no other change made over MQTT`() async throws {
        try await start(with: ["x1": ["printer_ip": "192.0.2.7", "serial": "A"]])
        await registry.receive("x1", #"{"printer_ip": "192.0.2.99", "serial": "B"}"#)
        #expect(try await start(with: ["x1": ["printer_ip": "192.0.2.7", "serial": "C"]]) == ["x1"])
        #expect(values("x1") == ["printer_ip": "192.0.2.99", "serial": "C"])
    }

    @Test(arguments: [["x1": [:]], [:]] as [[PrinterID: [String: JSONValue]]])
    func `A value or printer that left the file stays, and is news when it comes back`(
        later: [PrinterID: [String: JSONValue]]
    )
        async throws
    {
        try await start(with: ["x1": ["serial": "A"]])
        try await start(with: later)
        #expect(values("x1")?["serial"] == "A")
        await registry.receive("x1", #"{"serial": "B"}"#)
        try await start(with: ["x1": ["serial": "A"]])
        #expect(values("x1")?["serial"] == "A")
    }

    @Test func `A printer that was removed stays removed until the file says something new, then comes whole`()
        async throws
    {
        try await start(with: ["x1": .configured])
        #expect(try await registry.remove("x1"))
        #expect(try await start(with: ["x1": .configured]).isEmpty)
        #expect(values("x1") == nil)
        let changed = [String: JSONValue].configured.merging(["printer_ip": "192.0.2.8"]) { $1 }
        #expect(try await start(with: ["x1": changed]) == ["x1"])
        #expect(values("x1") == changed)
    }

    @Test func `The file's access code replaces a damaged one, and damaged file records undo nothing`() async throws {
        try await start(with: ["x1": .configured])
        try await store.damage("printer/x1", "access_code")
        try await start(with: ["x1": .configured])
        #expect(store.record("printer/x1")?.values["access_code"] == .secret("12345678"))
        try await store.damage("file/x1", "access_code")
        await registry.receive("x1", #"{"access_code": "newer"}"#)
        try await start(with: ["x1": .configured])
        #expect(store.record("printer/x1")?.values["access_code"] == .secret("newer"))
        #expect(store.record("file/x1")?.damaged == [:])
    }

    @Test func `A check accepts what a start accepts, and stores nothing`() async throws {
        try registry.check(FileSettings(["x1": ["access_code": .secret("123")]]))
        #expect(try store.scopes(prefix: "").isEmpty)
        try await start(with: ["x1": ["access_code": .secret("123")]])
        // The file said it before the model was known.
        await registry.receive("x1", #"{"model": "x1c"}"#)
        try registry.check(FileSettings(["x1": ["access_code": .secret("123")]]))
    }

    @Test func `A file that says what is so already changes nothing`() async throws {
        await registry.receive("x1", #"{"serial": "A"}"#)
        #expect(try await start(with: ["x1": ["serial": "A"]]).isEmpty)
        #expect(store.record("printer/x1")?.revision == 1)
    }
}
