import Foundation
import PrinterSamples
import StoredSettings
import Testing

@testable import Bridge
@testable import Printers

@Suite struct ManifestTests {
    private let store = InMemorySettingsStore()
    private let manifest: Manifest

    init() { manifest = Manifest(store: store) }

    @Test("At first there is nothing")
    func empty() throws {
        #expect(try manifest.load().isEmpty)
    }

    @Test("What is saved is loaded again, by owner")
    func saved() async throws {
        let topics: [String: Set<String>] = [
            "bridge": ["b/bridge/info"], "x1": ["b/x1/config", "h/device/b_x1/config"],
        ]
        try await manifest.save(topics)
        #expect(try manifest.load() == topics)
    }

    @Test("Saving replaces the topics of the owners named, and leaves the others")
    func replaced() async throws {
        try await manifest.save(["x1": ["a", "b"], "x2": ["c"]])
        try await manifest.save(["x1": ["b", "d"]])
        #expect(try manifest.load() == ["x1": ["b", "d"], "x2": ["c"]])
        try await manifest.save(["x1": []])
        #expect(try manifest.load() == ["x2": ["c"]])
    }

    @Test("Saving what is saved writes nothing")
    func same() async throws {
        try await manifest.save(["x1": ["a"]])
        let before = try #require(store.record("\(StoreScope.topics)x1"))
        try await manifest.save(["x1": ["a"]])
        #expect(store.record("\(StoreScope.topics)x1") == before)
    }

    @Test("The topics that an earlier version kept as values of their own are taken over")
    func earlierVersion() async throws {
        try await store.transact {
            try $0.update("\(StoreScope.topics)x1", ["b/x1/a": true, "b/x1/b": true], by: "test", at: .now)
        }
        #expect(try manifest.load() == ["x1": ["b/x1/a", "b/x1/b"]])
        try await manifest.save(["x1": ["b/x1/b", "b/x1/c"]])
        #expect(try manifest.load() == ["x1": ["b/x1/b", "b/x1/c"]])
        #expect(store.record("\(StoreScope.topics)x1")?.values.count == 1)
    }
}
