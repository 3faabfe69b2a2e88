import SwiftSyntax
import SwiftSyntaxBuilder
import SwiftSyntaxMacros

/// `@Setting`: the accessors of a setting.
enum SettingMacro: AccessorMacro {
    // The code is laid out here, because columns count.
    static var formatMode: FormatMode { .disabled }

    static func expansion(
        of node: AttributeSyntax,
        providingAccessorsOf declaration: some DeclSyntaxProtocol,
        in context: some MacroExpansionContext
    ) throws -> [AccessorDeclSyntax] {
        guard context.isInSettingsClass else {
            context.diagnose(.outsideOfSettingsClass(node))
            return []
        }
        guard let property = PropertyDeclaration(declaration), property.isSetting, property.canHaveAccessors else {
            return []
        }
        // What is wrong is told where the class is expanded; the compiler need not tell more of it here.
        guard property.isSound else { return ["get { fatalError() }", "set {}"] }
        let value = "storage[Self.\(property.keysName).\(property.spelling)]"
        return [
            "\n    get {\n\(raw: property.placed(value, in: context))\n    }",
            "\n    set {\n        \(raw: value) = newValue\n    }\n",
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

extension PropertyDeclaration {
    /// The declarations among which its key is.
    var keysName: String { isPrivate ? "privateKeys" : "keys" }
}

extension MacroExpansionContext {
    /// Whether the property belongs to a class with `@ObservableSettings`.
    var isInSettingsClass: Bool { classHas("ObservableSettings") }

    /// Whether the property belongs to a class that says that the main actor guards it.
    var isInMainActorClass: Bool { classHas("MainActor") }

    private func classHas(_ attribute: String) -> Bool {
        lexicalContext.first?.asProtocol((any WithAttributesSyntax).self)?.attributes.attribute(named: attribute) != nil
    }
}
