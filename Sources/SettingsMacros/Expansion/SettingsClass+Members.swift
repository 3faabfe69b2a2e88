import SwiftSyntax
import SwiftSyntaxBuilder

extension SettingsClass {
    /// What is added to the class.
    var members: [DeclSyntax] {
        var members: [DeclSyntax] = [
            """
            /// Holds the values, stores them, and tells of their changes.
            \(raw: access)nonisolated let backing: SettingsBacking
            """,
            settingKeys,
            """
            /// The declarations of the settings.
            \(raw: access)nonisolated static let keys = SettingKeys()
            """,
            """
            /// All settings, in the order in which they are declared.
            \(raw: access)nonisolated static let schema = SettingsSchema([\(raw: descriptors)])
            """,
        ]
        if !hasInitializer { members += initializers }
        return members
    }

    private var settingKeys: DeclSyntax {
        let keys = soundSettings.enumerated().map { position, setting in
            let access = setting.property.access.map {
                switch $0.tokenKind {
                case .keyword(.private): "fileprivate "
                case .keyword(.open): "public "
                default: "\($0.text) "
                }
            }
            return "    \(access ?? "")let \(setting.property.spelling) = "
                + setting.keyDeclaration(position: position, className: name)
        }
        return """
            /// The declaration of each setting, under the name of its property.
            \(raw: access)struct SettingKeys: Sendable {
            \(raw: keys.joined(separator: "\n"))
            }
            """
    }

    private var descriptors: String {
        soundSettings.map { "SettingDescriptor(keys.\($0.property.spelling))" }.joined(separator: ", ")
    }

    private var initializers: [DeclSyntax] {
        var initializers: [DeclSyntax] = [
            """
            /// Takes a backing that was made with ``schema``.
            \(raw: access)init(backing: SettingsBacking) {
                self.backing = backing
            }
            """,
            """
            /// Restores the settings from a store; a failure is in `loadError`.
            \(raw: access)convenience init(store: any SettingsStore, scope: String = "\(raw: name)", prefix: String = "") {
                self.init(backing: SettingsBacking(scope: scope, prefix: prefix, schema: Self.schema, store: store))
            }
            """,
        ]
        if let store = options.store {
            initializers.append(
                """
                /// Restores the settings from the store of the class, or from memory when built with `SETTINGS_IN_MEMORY`.
                \(raw: access)convenience init(scope: String = "\(raw: name)", prefix: String = "") {
                    #if SETTINGS_IN_MEMORY
                    self.init(store: InMemorySettingsStore.shared, scope: scope, prefix: prefix)
                    #else
                    self.init(store: \(store.trimmed), scope: scope, prefix: prefix)
                    #endif
                }
                """
            )
        }
        return initializers
    }
}
