import SwiftSyntax
import SwiftSyntaxBuilder

extension SettingsClass {
    /// What is added to the class.
    var additions: [DeclSyntax] {
        var additions: [DeclSyntax] = [
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
        if settings.contains(where: \.property.isPrivate) { additions += privateKeys }
        additions.append(schema)
        if !hasInitializer { additions += initializers }
        return additions
    }

    /// The declarations of private settings, whose types may be private too: nothing that others see can have one of these.
    private var privateKeys: [DeclSyntax] {
        [
            """
            /// The declarations of the private settings.
            private nonisolated struct PrivateSettingKeys: \(raw: Qualified.swift)Sendable {
            \(raw: lines { $0.property.isPrivate ? "let \($0.property.spelling) = \(declaration($0))" : nil })
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
        guard isConditional else {
            let descriptors = settings.filter(\.property.isSound).map(descriptor).joined(separator: ", ")
            return "\(raw: declaration) = \(raw: type)([\(raw: descriptors)])"
        }
        return """
            \(raw: declaration): \(raw: type) = {
                var descriptors: [\(raw: Qualified.settings)SettingDescriptor] = []
            \(raw: lines { "descriptors.append(\(descriptor($0)))" })
                return \(raw: type)(descriptors)
            }()
            """
    }

    private func descriptor(_ setting: SettingDeclaration) -> String {
        "\(Qualified.settings)SettingDescriptor(\(setting.property.keysName).\(setting.property.spelling))"
    }

    private func declaration(_ setting: SettingDeclaration) -> String { setting.keyDeclaration(className: name) }

    private func keyDeclaration(_ setting: SettingDeclaration) -> String? {
        let property = setting.property
        // Whoever has the key can set the value, so that the key needs the access of the setter.
        let access = (property.setterAccess ?? property.access).map { access in
            switch access.tokenKind {
            case .keyword(.private): "fileprivate "
            case .keyword(.open): "public "
            default: "\(access.text) "
            }
        }
        let code = "\(access ?? "")let \(property.spelling) = "
        guard property.isPrivate else { return code + declaration(setting) }
        return mayHideType(of: property) ? nil : code + "\(name).privateKeys.\(property.spelling)"
    }

    /// A line for each setting for which code can be written.
    private func lines(_ line: (SettingDeclaration) -> String?) -> String {
        members.flatMap { $0.lines { $0.property.isSound ? line($0) : nil } }
            .map { "    " + $0 }.joined(separator: "\n")
    }
}
