// swift-format-ignore-file

import StoredSettings

enum Program {
    static func store() -> some SettingsStore { InMemorySettingsStore() }
    static let remote: (any RemoteStore)? = nil
}

@ObservableSettings(store: Program.store(), remote: Program.remote) public final class Notes {
    @Synced public var last = ""
}

@ObservableSettings(store: try? JSONFileSettingsStore(path: "/tmp/x")) final class Page { var last = "" }
@ObservableSettings(store: nil, remote: nil) final class Book { var last = "" }

func use(_ remote: some RemoteStore) {
    _ = Notes()
    _ = Notes(store: Program.store(), scope: "mine", remote: remote)
}
