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

nonisolated struct Corner: Codable { var x = 1 }
enum Limits {
    nonisolated static let usual = 3
    nonisolated static func fault(_ text: String) -> String? { nil }
}
@ObservableSettings final class Frame {
    var corner: Corner?
    var depth = Limits.usual
    @Setting(constraints: SettingConstraints(check: Limits.fault)) var title = ""
}
extension SettingValues<Frame.SettingKeys> {
    nonisolated var isDeep: Bool { self[\.depth] > 3 }
}
func follow(_ frame: Frame) async {
    for await isDeep in frame.changes(of: \.isDeep) { print(isDeep) }
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
