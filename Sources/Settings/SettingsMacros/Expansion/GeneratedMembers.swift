import SwiftSyntax
import SwiftSyntaxBuilder

extension SettingsClass {
    var generatedMembers: [DeclSyntax] {
        var members: [DeclSyntax] = [
            """
            /// Holds the values, stores them, and tells of their changes.
            \(raw: access)nonisolated let storage: \(raw: Qualified.settings)SettingsStorage
            """,
            """
            /// The declaration of each setting, under the name of its property.
            \(raw: access)nonisolated struct SettingKeys: \(raw: Qualified.swift)Sendable {
            \(raw: lines(keyDeclaration))
            }
            """,
            """
            /// The declarations of the settings.
            \(raw: access)nonisolated static \(raw: isGeneric ? "var keys: SettingKeys { SettingKeys() }" : "let keys = SettingKeys()")
            """,
        ]
        if settings.contains(where: \.property.isPrivate) { members += privateKeys }
        members.append(schema)
        if !hasInitializer { members += initializers }
        return members
    }

    /// A line of code for each sound setting; nil leaves one out.
    private func lines(_ line: (SettingDeclaration) -> String?) -> String {
        soundSettings.compactMap(line).map { "    " + $0 }.joined(separator: "\n")
    }

    private var soundSettings: [SettingDeclaration] { settings.filter(\.property.isSound) }

    private func keyDeclaration(_ setting: SettingDeclaration) -> String? {
        let property = setting.property
        // Code that has the key can set the value, so that the key needs the access of the setter.
        let access = (property.setterAccess ?? property.access).map { access in
            switch access.tokenKind {
            case .keyword(.private): "fileprivate "
            case .keyword(.open): "public "
            default: "\(access.text) "
            }
        }
        let code = "\(access ?? "")let \(property.spelling) = "
        guard property.isPrivate else { return code + setting.keyDeclaration(className: name) }
        return mayHideType(of: property) ? nil : code + "\(name).privateKeys.\(property.spelling)"
    }

    /// The declarations of private settings, whose types may be private too: a key that others see cannot have such a type.
    private var privateKeys: [DeclSyntax] {
        let keys = lines { setting in
            let property = setting.property
            return property.isPrivate ? "let \(property.spelling) = \(setting.keyDeclaration(className: name))" : nil
        }
        return [
            """
            /// The declarations of the private settings.
            private nonisolated struct PrivateSettingKeys: \(raw: Qualified.swift)Sendable {
            \(raw: keys)
            }
            """,
            "private nonisolated static let privateKeys = PrivateSettingKeys()",
        ]
    }

    private var schema: DeclSyntax {
        let declaration = """
            /// All settings, in the order in which they are declared.
            \(access)nonisolated static let schema
            """
        let type = Qualified.settings + "SettingsSchema"
        if isGeneric { return "\(raw: access)nonisolated static var schema: \(raw: type) { \(raw: type)([]) }" }
        let descriptors = soundSettings.map(\.property).map { property in
            "\(Qualified.settings)SettingDescriptor(\(property.keysName).\(property.spelling))"
        }
        return "\(raw: declaration) = \(raw: type)([\(raw: descriptors.joined(separator: ", "))])"
    }

    private var initializers: [DeclSyntax] {
        let store = "(any \(Qualified.settings)SettingsStore)?"
        let remote = "(any \(Qualified.settings)RemoteStore)?"
        let scope = "\(Qualified.swift)String = \(scope.literal)"
        // Not 'store', 'scope' and 'remote': an expression of the attribute may mean something else by these names.
        let parameters = [
            "store givenStore: \(store) = nil", "scope givenScope: \(scope)", "remote givenRemote: \(remote) = nil",
        ]
        // Without '??', whose right side would not have the isolation of the class.
        func own(_ argument: String, or given: String) -> String {
            soundArgument(argument).map { "if let \(given) { \(given) } else { \($0.trimmed) }" } ?? given
        }
        return [
            """
            /// Takes a storage that was made with ``schema``.
            \(raw: access)init(storage: \(raw: Qualified.settings)SettingsStorage) {
                self.storage = storage
            }
            """,
            """
            /// Restores the settings from a store, and synchronises those that are `@Synced`; a failure is in `error`.
            ///
            /// Without a store it is that of the class, or the default store of the program.
            \(raw: access)convenience init(\(raw: parameters.joined(separator: ", "))) {
                let ownStore: \(raw: store) = \(raw: own("store", or: "givenStore"))
                let ownRemote: \(raw: remote) = \(raw: own("remote", or: "givenRemote"))
                self.init(storage: \(raw: Qualified.settings)SettingsStorage(scope: givenScope, schema: Self.schema, store: ownStore ?? \(raw: Qualified.settings)DefaultSettingsStore.store, remote: ownRemote))
            }
            """,
        ]
    }
}
