import SwiftSyntax
import SwiftSyntaxBuilder
import SwiftSyntaxMacros

/// `@ObservableSettings`: declares the keys, the schema and the storage, and makes every stored variable a setting.
enum ObservableSettingsMacro {}

extension ObservableSettingsMacro: MemberMacro {
    static func expansion(
        of node: AttributeSyntax,
        providingMembersOf declaration: some DeclGroupSyntax,
        conformingTo protocols: [TypeSyntax],
        in context: some MacroExpansionContext
    ) throws -> [DeclSyntax] {
        guard let model = SettingsClass(declaration, node, in: context) else { return [] }
        // The compiler asks for no conformance if the class inherits it.
        if let superclass = model.superclass, protocols.isEmpty, !model.statesConformance {
            context.diagnose(.inheritsSettings(superclass))
            return []
        }
        for fault in model.faults { context.diagnose(fault) }
        return model.generatedMembers
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
        return ["@\(raw: Qualified.settings)Setting"]
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
        guard let model = SettingsClass(declaration, node, in: context) else {
            // The compiler may not ask for the members of an enumeration; it always asks for extensions.
            context.diagnose(.notAClass(declaration, node))
            return []
        }
        guard model.privateFault == nil else { return [] }
        let advice = "make the class 'final', or put '@MainActor' on it, and threads can share it"
        // Only a class without faults is known to hold sendable properties alone.
        let isShared = (model.isFinal || model.isOnMainActor) && model.faults.isEmpty
        return try protocols.map { conformance in
            let isSendable = conformance.trimmedDescription.hasSuffix("Sendable")
            // Any thread may use the settings of a class that is isolated. Without an unavailable conformance, the compiler
            // would look for one in subclasses.
            let attribute = isSendable && !isShared ? "@available(*, unavailable, message: \"\(advice)\") " : ""
            let name = isSendable ? "\(Qualified.swift)Sendable" : "nonisolated \(Qualified.settings)SettingsModel"
            return try ExtensionDeclSyntax("\(raw: attribute)extension \(type.trimmed): \(raw: name)") {}
        }
    }
}
