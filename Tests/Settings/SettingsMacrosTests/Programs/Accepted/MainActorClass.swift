import StoredSettings

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
        storage = SettingsStorage(schema: Self.schema)
        pane = owner
    }

    func follow() async {
        for await width in changes(of: \.width) { print(width, isWide) }
        update(\.width) { $0 += 1 }
    }
}

@MainActor func follow(_ window: Window) async {
    for await width in window.changes(of: \.width) { print(width, window.isWide) }
}

func followElsewhere(_ window: Window) async {
    for await width in window.changes(of: \.width) { print(width) }
    window.reset(\.width)
}

@MainActor final class Screen {
    let window: Window
    init(_ window: Window) { self.window = window }
    func bind() { _ = window.binding(\.width) }
}

@globalActor actor Engine { static let shared = Engine() }
@Engine @ObservableSettings final class Motor {
    var speed = 1
    var isFast: Bool { speed > 3 }
    lazy var greatest = speed
    weak var twin: Motor?
}
@Engine func follow(_ motor: Motor) async {
    for await speed in motor.changes(of: \.speed) { print(speed, motor.isFast) }
}
