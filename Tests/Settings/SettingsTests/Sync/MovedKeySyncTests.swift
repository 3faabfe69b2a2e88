import SettingsTesting
import StoredSettings
import TestSupport
import Testing

/// Two versions of a program, of which the later has another key here.
private enum Version {
    @ObservableSettings(prefix: "")
    final class First {
        @Synced(key: "font-size") @Setting(key: "font") var size = 10
        @Synced @Setting(key: "page") var page = 1
        @Synced(key: "pin") @Setting(key: "pin") @Secret var pin = ""
    }

    @ObservableSettings(prefix: "")
    final class Second {
        @Synced(key: "font-size") @Setting(key: "size", previousKeys: ["font"]) var size = 10
        @Synced @Setting(key: "last_page", previousKeys: ["page"]) var page = 1
        @Synced(key: "pin") @Setting(key: "code", previousKeys: ["pin"]) @Secret var pin = ""
    }
}

@Suite("A synchronised setting whose key moves")
struct MovedKeySyncTests {
    private let cloud = FakeCloud()
    private let store = InMemorySettingsStore()

    /// Assigns and synchronises in the first version.
    private func runFirst(_ change: (Version.First) -> Void) async throws {
        let first = Version.First(store: store, scope: "s", remote: cloud.client())
        change(first)
        try await first.waitUntilSynced()
    }

    /// Starts and synchronises the second version.
    private func runSecond() async throws -> Version.Second {
        let second = Version.Second(store: store, scope: "s", remote: cloud.client())
        try await second.waitUntilSynced()
        return second
    }

    @Test func `A moved setting takes remote changes from its absence, as without the move`() async throws {
        try await runFirst { ($0.size, $0.page) = (12, 5) }
        cloud.set(["font-size": 20, "s/last_page": 9])
        let second = try await runSecond()
        #expect(second.size == 20 && second.page == 9)
        #expect(cloud["font-size"] == 20 && cloud["s/last_page"] == 9)
    }

    @Test func `A moved setting keeps its value, and sends it under a new remote key`() async throws {
        try await runFirst { ($0.size, $0.page) = (12, 5) }
        let second = try await runSecond()
        #expect(second.size == 12 && second.page == 5)
        #expect(cloud["font-size"] == 12 && cloud["s/last_page"] == 5)
    }

    @Test func `A damaged secret whose key moved is reported, and gets its remote value`() async throws {
        try await runFirst { $0.pin = "1234" }
        try await store.damage("s", "pin")
        #expect(Version.Second(store: store, scope: "s").error(of: \.pin)?.code == .corrupted)
        #expect(try await runSecond().pin == "1234" && cloud["pin"] == .secret("1234"))
        #expect(store.record("s")?.damaged.isEmpty == true, "the damage does not come back")
    }

    @Test func `A moved setting sends what was assigned before the move and could not be sent`() async throws {
        try await runFirst { $0.size = 12 }
        let client = cloud.client()
        client.goOffline()
        let first = Version.First(store: store, scope: "s", remote: client)
        first.size = 14
        try await first.commit()
        let second = try await runSecond()
        #expect(second.size == 14 && cloud["font-size"] == 14)
    }
}
