import Settings

final class Pane { var depth = 1 }

@MainActor @ObservableSettings final class Window {
    var width = 1
    var isWide: Bool { width > 3 }
    @SettingsIgnored var title: String?
    @SettingsIgnored var pane = Pane()
    @SettingsIgnored var action: () -> Void = {}
    @SettingsIgnored private(set) var owner: Pane
    weak var parent: Window?
    lazy var area = width * 2

    init(owner: Pane) {
        self.owner = owner
        backing = SettingsBacking(schema: Self.schema)
        pane = owner
    }

    func follow() async {
        for await isWide in changes(of: \.isWide) { print(isWide) }
        update(\.width) { $0 += 1 }
    }
}

@MainActor func follow(_ window: Window) async {
    for await isWide in window.changes(of: \.isWide) { print(isWide) }
    for await width in window.changes(of: \.width) { print(width) }
}

func followElsewhere(_ window: Window) async {
    for await width in window.changes(of: \.width) { print(width) }
    window.reset(\.width)
}

@MainActor final class Screen {
    @SettingsBindings var window: Window
    init(_ window: Window) { self.window = window }
    func bind() { _ = $window.width }
}

@globalActor actor Engine { static let shared = Engine() }
@Engine @ObservableSettings final class Motor {
    var speed = 1
    var isFast: Bool { speed > 3 }
}
@Engine func follow(_ motor: Motor) async { for await isFast in motor.changes(of: \.isFast) { print(isFast) } }
