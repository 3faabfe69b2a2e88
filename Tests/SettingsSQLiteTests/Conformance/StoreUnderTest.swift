import Foundation
import Settings
import SettingsSQLite
import TestSupport

/// A kind of store, as the conformance suite wants to have it.
enum StoreUnderTest: String, CaseIterable, Sendable {
    case memory, sqlite

    /// A new store, and a way to open it once more as another process would.
    struct Opened {
        let store: any SettingsStore
        let openAgain: () throws -> any SettingsStore
        fileprivate let directory: TemporaryDirectory?
    }

    func open() throws -> Opened {
        switch self {
        case .memory:
            let store = InMemorySettingsStore()
            return Opened(store: store, openAgain: { store }, directory: nil)
        case .sqlite:
            let directory = try TemporaryDirectory()
            var options = SQLiteSettingsStore.Options()
            options.watchInterval = .milliseconds(50)
            // Two writers at full speed on a busy machine.
            options.busyTimeout = .seconds(60)
            let open = { [options] in
                try SQLiteSettingsStore(path: directory.file("s.sqlite").path, sealer: ToySealer(), options: options)
            }
            return Opened(store: try open(), openAgain: open, directory: directory)
        }
    }
}
