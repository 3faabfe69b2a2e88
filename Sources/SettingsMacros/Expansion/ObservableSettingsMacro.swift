import SwiftSyntax
import SwiftSyntaxBuilder
import SwiftSyntaxMacros

/// `@ObservableSettings`: declares the keys, the schema and the backing, and makes every stored variable a setting.
enum ObservableSettingsMacro {}

extension ObservableSettingsMacro: MemberMacro {
    static func expansion(
        of node: AttributeSyntax,
        providingMembersOf declaration: some DeclGroupSyntax,
        conformingTo protocols: [TypeSyntax],
        in context: some MacroExpansionContext
    ) throws -> [DeclSyntax] {
        guard let syntax = declaration.as(ClassDeclSyntax.self) else {
            context.diagnose(.notAClass(declaration, node))
            return []
        }
        let model = SettingsClass(syntax, node)
        for diagnostic in model.diagnostics(node) { context.diagnose(diagnostic) }
        return model.members
    }
}

extension ObservableSettingsMacro: MemberAttributeMacro {
    static func expansion(
        of node: AttributeSyntax,
        attachedTo declaration: some DeclGroupSyntax,
        providingAttributesFor member: some DeclSyntaxProtocol,
        in context: some MacroExpansionContext
    ) throws -> [AttributeSyntax] {
        guard declaration.is(ClassDeclSyntax.self), let property = PropertyDeclaration(member), property.isSetting,
            property.attribute("Setting") == nil, !property.hasSeveralBindings
        else { return [] }
        return ["@Setting"]
    }
}

extension ObservableSettingsMacro: ExtensionMacro {
    static func expansion(
        of node: AttributeSyntax,
        attachedTo declaration: some DeclGroupSyntax,
        providingExtensionsOf type: some TypeSyntaxProtocol,
        conformingTo protocols: [TypeSyntax],
        in context: some MacroExpansionContext
    ) throws -> [ExtensionDeclSyntax] {
        guard let syntax = declaration.as(ClassDeclSyntax.self) else { return [] }
        let isFinal = SettingsClass(syntax, node).isFinal
        // Only a final class can be known to hold nothing but what is safe to share.
        let names = protocols.map(\.trimmedDescription).filter { isFinal || !$0.hasSuffix("Sendable") }
        guard !names.isEmpty else { return [] }
        return [
            try ExtensionDeclSyntax("extension \(type.trimmed): \(raw: names.joined(separator: ", "))") {}
        ]
    }
}
