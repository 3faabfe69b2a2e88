import StoredSettings

@ObservableSettings final class Editor {
    private enum Mode: String, SettingRepresentable { case insert, replace }
    fileprivate enum Size: Int, SettingRepresentable, CaseIterable { case small, large }
    private struct Plan: Codable { var lines = 1 }

    private var mode: Mode = .insert
    private var previous = Mode.replace
    private var plan: Plan?
    private var plans: [String: Plan] = [:]
    private var width = 80
    fileprivate var size: Size = .small
    private(set) var title = ""

    func change() {
        mode = .replace
        storage.reset(Self.privateKeys.mode)
        reset(\.width)
        reset(\.title)
    }
}

struct Outer {
    private enum Mode: String, SettingRepresentable { case on, off }

    @ObservableSettings fileprivate final class Inner {
        private var mode: Mode = .on
        func change() { mode = .off }
    }
}

private enum Top: String, SettingRepresentable { case only }
@ObservableSettings private final class Hidden { var top: Top = .only }
@ObservableSettings final class Seen { private var top: Top = .only }

extension Seen { func forget() { reset(\.top) } }
