// swift-format-ignore-file

import StoredSettings

@ObservableSettings final class Empty {}
@ObservableSettings class WithInitializer {
    var a = 1
    let id: Int
    init(_ storage: SettingsStorage) {
        id = 1
        self.storage = storage
    }
}
@ObservableSettings public final class Tree {
    public var height = 1
    var branches: [String: [Int?]] = [:]
}

func use(_ tree: Tree) async {
    await Task { tree.height = 2 }.value
    tree.reset(\.height)
    _ = tree.binding(\.branches)
}
