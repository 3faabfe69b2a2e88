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
        guard let syntax = declaration.as(ClassDeclSyntax.self) else { return [] }
        let model = SettingsClass(syntax, node, in: context.enclosingTypes)
        // Whoever inherits the conformance is not asked to add it.
        if let superclass = syntax.inheritanceClause?.inheritedTypes.first, protocols.isEmpty, !model.statesConformance
        {
            context.diagnose(.inheritsSettings(superclass))
            return []
        }
        for diagnostic in model.diagnostics(node) { context.diagnose(diagnostic) }
        return model.additions
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
        guard let syntax = declaration.as(ClassDeclSyntax.self) else {
            // The members of an enumeration may never be asked for, and this always is.
            context.diagnose(.notAClass(declaration, node))
            return []
        }
        let model = SettingsClass(syntax, node, in: context.enclosingTypes)
        guard model.privateFault.isEmpty else { return [] }
        func extending(_ conformance: String, _ attribute: String = "") throws -> ExtensionDeclSyntax {
            try ExtensionDeclSyntax("\(raw: attribute)extension \(type.trimmed): \(raw: conformance)") {}
        }
        // Only these can be known to hold nothing but what is safe to share; one with faults need not be judged.
        let isShared = (model.isFinal || model.isOnMainActor) && model.diagnostics(node).isEmpty
        return try protocols.map { conformance in
            guard conformance.trimmedDescription.hasSuffix("Sendable") else {
                // Any thread may use the settings of a class that is isolated.
                return try extending("nonisolated \(Qualified.settings)SettingsModel")
            }
            // Left away, it would be looked for in subclasses all the same.
            return try extending("\(Qualified.swift)Sendable", isShared ? "" : "@available(*, unavailable) ")
        }
    }
}

extension MacroExpansionContext {
    /// The types that the declaration is in, from the inside out.
    fileprivate var enclosingTypes: [any DeclGroupSyntax] {
        lexicalContext.compactMap { $0.asProtocol((any DeclGroupSyntax).self) }
    }
}
