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
        guard let property = PropertyDeclaration(declaration), property.isStoredVariable else {
            context.diagnose(.nothingToIgnore(node))
            return []
        }
        let name = "_\(property.name)"
        var accessors: [AccessorDeclSyntax] = [
            "get { \(raw: name).value }",
            "set { \(raw: name).value = newValue }",
        ]
        if property.defaultValue == nil, !property.isOptional {
            accessors.append(
                """
                @storageRestrictions(initializes: \(raw: name))
                init(initialValue) { \(raw: name) = LockedValue(initialValue) }
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
        let type = property.type.map { "<\($0.trimmedDescription)>" } ?? ""
        let value = property.defaultValue?.trimmedDescription ?? (property.isOptional ? "nil" : nil)
        let storage = value.map { " = LockedValue\(type)(\($0))" } ?? ": LockedValue\(type)"
        return ["private nonisolated let _\(raw: property.name)\(raw: storage)"]
    }
}

extension PropertyDeclaration {
    fileprivate var isStoredVariable: Bool {
        !isLet && !isComputed && !hasSeveralBindings && modifier(.static, .class, .lazy, .weak, .unowned) == nil
    }
}
