import SwiftSyntax
import SwiftSyntaxBuilder
import SwiftSyntaxMacros

/// `@SettingsIgnored`: a variable that is neither stored nor observed, behind a lock of its own.
enum SettingsIgnoredMacro {}

extension SettingsIgnoredMacro: AccessorMacro {
    static func expansion(
        of node: AttributeSyntax,
        providingAccessorsOf declaration: some DeclSyntaxProtocol,
        in context: some MacroExpansionContext
    ) throws -> [AccessorDeclSyntax] {
        let property = PropertyDeclaration(declaration)
        guard let property, property.isStoredVariable else {
            context.diagnose(.nothingToIgnore(node, property))
            return []
        }
        let name = "_\(property.name)"
        var accessors: [AccessorDeclSyntax] = [
            "get { \(raw: name).value }",
            "set { \(raw: name).value = newValue }",
        ]
        if property.defaultValue == nil, !property.isNilAtFirst {
            accessors.append(
                """
                @storageRestrictions(initializes: \(raw: name))
                init(initialValue) { \(raw: name) = \(raw: Qualified.settings)LockedValue(initialValue) }
                """
            )
        }
        return accessors
    }
}

extension SettingsIgnoredMacro: PeerMacro {
    static func expansion(
        of node: AttributeSyntax,
        providingPeersOf declaration: some DeclSyntaxProtocol,
        in context: some MacroExpansionContext
    ) throws -> [DeclSyntax] {
        guard let property = PropertyDeclaration(declaration), property.isStoredVariable else { return [] }
        let type = property.type.map { "<\($0.withoutTrap)>" } ?? ""
        let value = property.defaultValue?.trimmedDescription ?? (property.isNilAtFirst ? "nil" : nil)
        let box = "\(Qualified.settings)LockedValue\(type)"
        let storage = value.map { " = \(box)(\($0))" } ?? ": \(box)"
        return ["private nonisolated let _\(raw: property.name)\(raw: storage)"]
    }
}

extension TypeSyntax {
    /// The type as it is stored: `Int?` for `Int!`.
    fileprivate var withoutTrap: String {
        self.as(ImplicitlyUnwrappedOptionalTypeSyntax.self).map { "\($0.wrappedType.trimmed)?" } ?? trimmedDescription
    }
}

extension PropertyDeclaration {
    fileprivate var isNilAtFirst: Bool {
        isOptional || type?.is(ImplicitlyUnwrappedOptionalTypeSyntax.self) == true
    }

    fileprivate var isStoredVariable: Bool {
        !isLet && !isComputed && !hasSeveralBindings && modifier(.static, .class, .lazy, .weak, .unowned) == nil
    }
}
