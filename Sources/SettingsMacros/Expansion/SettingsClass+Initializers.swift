import SwiftSyntax
import SwiftSyntaxBuilder

extension SettingsClass {
    /// Those of a class that has none of its own.
    var initializers: [DeclSyntax] {
        [
            """
            /// Takes a storage that was made with ``schema``.
            \(raw: access)init(storage: \(raw: Qualified.settings)SettingsStorage) {
                self.storage = storage
            }
            """,
            """
            /// Restores the settings from a store, and keeps those that are synced the same in a remote one; a failure is in `loadError`.
            ///
            /// Without a store it is that of the class, or the default store of the program; memory when built with `SETTINGS_IN_MEMORY`.
            \(raw: access)convenience init(\(raw: parameters)) {
                #if SETTINGS_IN_MEMORY
                let ownStore: any \(raw: Qualified.settings)SettingsStore = store ?? \(raw: Qualified.settings)InMemorySettingsStore.shared
                #else
                let ownStore: any \(raw: Qualified.settings)SettingsStore = store ?? \(raw: defaultStore)
                #endif
                self.init(storage: \(raw: Qualified.settings)SettingsStorage(scope: scope, prefix: prefix, schema: Self.schema, store: ownStore, remote: \(raw: remote)))
            }
            """,
        ]
    }

    private var parameters: String {
        let text = "\(Qualified.swift)String"
        let store = "store: (any \(Qualified.settings)SettingsStore)? = nil"
        let remote = "remote: (any \(Qualified.settings)RemoteStore)? = nil"
        return "\(store), scope: \(text) = \"\(scope)\", prefix: \(text) = \"\", \(remote)"
    }

    private var defaultStore: String {
        options.store.map { "(\($0.trimmed))" } ?? "\(Qualified.settings)DefaultSettingsStore.store"
    }

    /// The remote store that was given, or that of the class.
    private var remote: String { options.remote.map { "remote ?? \($0.trimmed)" } ?? "remote" }
}
