import SwiftSyntax
import SwiftSyntaxBuilder

extension SettingsClass {
    /// Those of a class that has none of its own.
    var initializers: [DeclSyntax] {
        var initializers: [DeclSyntax] = [
            """
            /// Takes a backing that was made with ``schema``.
            \(raw: access)init(backing: \(raw: Qualified.settings)SettingsBacking) {
                self.backing = backing
            }
            """,
            """
            /// Restores the settings from a store, and keeps those that are synced the same in a remote one; a failure is in `loadError`.
            \(raw: access)convenience init(store: any \(raw: Qualified.settings)SettingsStore, \(raw: parameters)) {
                self.init(backing: \(raw: Qualified.settings)SettingsBacking(scope: scope, prefix: prefix, schema: Self.schema, store: store, remote: \(raw: remote)))
            }
            """,
        ]
        if let store = options.store {
            initializers.append(
                """
                /// Restores the settings from the store of the class, or from memory when built with `SETTINGS_IN_MEMORY`.
                \(raw: access)convenience init(\(raw: parameters)) {
                    #if SETTINGS_IN_MEMORY
                    self.init(store: \(raw: Qualified.settings)InMemorySettingsStore.shared, scope: scope, prefix: prefix, remote: remote)
                    #else
                    self.init(store: \(store.trimmed), scope: scope, prefix: prefix, remote: remote)
                    #endif
                }
                """
            )
        }
        return initializers
    }

    private var parameters: String {
        let text = "\(Qualified.swift)String"
        return
            "scope: \(text) = \"\(name)\", prefix: \(text) = \"\", remote: (any \(Qualified.settings)RemoteStore)? = nil"
    }

    /// The remote store that was given, or that of the class.
    private var remote: String { options.remote.map { "remote ?? \($0.trimmed)" } ?? "remote" }
}
