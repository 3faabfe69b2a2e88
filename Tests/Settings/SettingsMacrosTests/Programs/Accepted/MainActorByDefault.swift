// flags: -default-isolation MainActor -enable-upcoming-feature InferIsolatedConformances
// flags: -enable-upcoming-feature NonisolatedNonsendingByDefault
import StoredSettings

@ObservableSettings final class Window {
    enum Style: String, SettingRepresentable { case plain, rich }
    var width = 1
    var style = Style.plain
    var isWide: Bool { width > 3 }
    @SettingsIgnored var title: String?
}

enum Memory { static let store = InMemorySettingsStore() }

@MainActor @ObservableSettings(store: Memory.store) final class Panel { var height = 1 }

nonisolated func use(_ window: Window) async {
    for await width in window.changes(of: \.width) { print(width) }
    _ = window.binding(\.width)
    _ = Window.schema
}

func follow(_ window: Window) async {
    for await width in window.changes(of: \.width) { print(width, window.isWide) }
}
