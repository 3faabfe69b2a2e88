import StoredSettings
import Synchronization
import Testing

/// Stands for the place in a program where its store is.
private enum Program {
    static let store = InMemorySettingsStore()
    static let stores = Mutex<[InMemorySettingsStore]>([])

    static func newStore() -> InMemorySettingsStore {
        let store = InMemorySettingsStore()
        stores.withLock { $0.append(store) }
        return store
    }
}

@ObservableSettings(prefix: "app_", naming: .snakeCase, store: Program.store)
private final class Appearance {
    enum Theme: String, SettingRepresentable, CaseIterable { case light, dark }

    static let widest = 400

    var theme = Theme.light
    var sidebarURLWidth = Self.widest
    var `default` = true
}

@ObservableSettings(store: Program.newStore())
private final class Window {
    var title = ""
}

@Suite("Forms of a class with @ObservableSettings")
struct ModelFormsTests {
    @Test func `A prefix and snake case make the keys; a default may name a static member by Self`() {
        #expect(Appearance.schema.descriptors.map(\.name) == ["app_theme", "app_sidebar_url_width", "app_default"])
        #expect(Appearance.keys.sidebarURLWidth.default == 400)
    }

    @Test func `A store in the attribute serves instances made without one, evaluated for each`() async throws {
        let first = Appearance()
        first.default = false
        try await first.commit()
        #expect(Program.store.record("SettingsTests.Appearance")?.values == ["app_default": false])
        #expect(Appearance().default == false)
        let windows = [Window(), Window(scope: "other")]
        windows[1].title = "x"
        try await windows[1].commit()
        #expect(Program.stores.withLock { $0.count } == 2)
        #expect(Program.stores.withLock { $0[1].record("other")?.values } == ["Window.title": "x"])
    }
}
