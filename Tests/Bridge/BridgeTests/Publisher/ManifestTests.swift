import PrinterSamples
import StoredSettings
import Testing

@testable import Bridge
@testable import Printers

@Suite struct ManifestTests {
    private let store = InMemorySettingsStore()
    private let manifest: Manifest

    init() { manifest = Manifest(store: store) }

    /// What is stored, without times.
    private var stored: [TopicOwner: Manifest.Entry] {
        get throws { try manifest.load().mapValues { Manifest.Entry(held: $0.held, cleared: $0.cleared) } }
    }

    @Test func `What is saved is loaded again, by owner`() async throws {
        let entries: [TopicOwner: Manifest.Entry] = [
            "bridge": Manifest.Entry(held: ["b/bridge/info"]),
            "x1": Manifest.Entry(held: ["b/x1/config", "h/device/b_x1/config"], cleared: ["b/x1/secret/stream_url"]),
            "gone": Manifest.Entry(cleared: ["b/gone/config"]),
            "No Printer": Manifest.Entry(held: ["b/No Printer/config"]),
        ]
        try await manifest.save(entries)
        #expect(try stored == entries)
        #expect(try manifest.load(of: "gone").changedAt != nil)
    }

    @Test func `Saving replaces the topics of the owners named, and leaves the others`() async throws {
        try await manifest.save([
            "x1": Manifest.Entry(held: ["a", "b"], cleared: ["c"]), "x2": Manifest.Entry(held: ["c"]),
        ])
        try await manifest.save(["x1": Manifest.Entry(held: ["b", "d"])])
        #expect(try stored == ["x1": Manifest.Entry(held: ["b", "d"]), "x2": Manifest.Entry(held: ["c"])])
        try await manifest.save(["x1": Manifest.Entry()])
        #expect(try stored == ["x2": Manifest.Entry(held: ["c"])])
    }

    @Test func `Saving what is saved writes nothing`() async throws {
        let entry = Manifest.Entry(held: ["a"], cleared: ["b"])
        try await manifest.save(["x1": entry])
        let before = try #require(store.record("\(OwnedSettingsStore.topicsPrefix)x1"))
        try await manifest.save(["x1": entry])
        #expect(store.record("\(OwnedSettingsStore.topicsPrefix)x1") == before)
    }
}
