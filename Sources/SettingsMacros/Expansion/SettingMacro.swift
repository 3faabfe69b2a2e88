import SwiftSyntax
import SwiftSyntaxBuilder
import SwiftSyntaxMacros

/// `@Setting`: the accessors of a setting.
enum SettingMacro: AccessorMacro {
    static func expansion(
        of node: AttributeSyntax,
        providingAccessorsOf declaration: some DeclSyntaxProtocol,
        in context: some MacroExpansionContext
    ) throws -> [AccessorDeclSyntax] {
        guard context.isInSettingsClass else {
            context.diagnose(.outsideOfSettingsClass(node))
            return []
        }
        guard let property = PropertyDeclaration(declaration), property.isSetting, !property.hasFormFault else {
            return []
        }
        // What is wrong is told where the class is expanded; the compiler need not tell more of it here.
        guard property.isSound else { return ["get { fatalError() }", "set {}"] }
        return [
            "get { backing[Self.keys.\(raw: property.spelling)] }",
            "set { backing[Self.keys.\(raw: property.spelling)] = newValue }",
        ]
    }
}

/// `@Secret` and `@Synced`: read by the macro of the class, and nothing by themselves.
enum SettingMarkerMacro: PeerMacro {
    static func expansion(
        of node: AttributeSyntax,
        providingPeersOf declaration: some DeclSyntaxProtocol,
        in context: some MacroExpansionContext
    ) throws -> [DeclSyntax] {
        if !context.isInSettingsClass { context.diagnose(.outsideOfSettingsClass(node)) }
        return []
    }
}

extension MacroExpansionContext {
    /// Whether the property belongs to a class with `@ObservableSettings`.
    var isInSettingsClass: Bool {
        lexicalContext.first?.asProtocol((any WithAttributesSyntax).self)?.attributes
            .attribute(named: "ObservableSettings") != nil
    }
}
