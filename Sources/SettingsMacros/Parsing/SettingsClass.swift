import SwiftSyntax

/// A class whose stored variables are settings.
struct SettingsClass {
    let syntax: ClassDeclSyntax
    let options: ClassOptions
    let members: [SettingsMember]
    /// The name of the class with those of the types that it is in, so that two nested classes of one name share nothing.
    let scope: String
    private let enclosing: [any DeclGroupSyntax]

    init(_ syntax: ClassDeclSyntax, _ attribute: AttributeSyntax, in enclosing: [any DeclGroupSyntax]) {
        self.syntax = syntax
        self.enclosing = enclosing
        scope = (enclosing.reversed().map(\.typeName) + [syntax.name.text]).joined(separator: ".")
        options = ClassOptions(attribute, scope: scope)
        members = SettingsMember.all(in: syntax.memberBlock.members, options)
    }

    var name: String { syntax.name.text }

    /// The settings under any condition.
    var settings: [SettingDeclaration] { members.flatMap(\.settings) }

    var isConditional: Bool {
        members.contains { if case .conditional = $0 { true } else { false } }
    }

    var isNested: Bool { !enclosing.isEmpty }

    var isGeneric: Bool {
        let types: [any DeclGroupSyntax] = [syntax] + enclosing
        return types.contains { $0.asProtocol((any WithGenericParametersSyntax).self)?.genericParameterClause != nil }
    }

    /// The access of what is generated, with a space behind it; empty for the default.
    var access: String {
        switch syntax.modifiers.access?.tokenKind {
        case .keyword(.public), .keyword(.open): "public "
        case .keyword(.package): "package "
        default: ""
        }
    }

    var isFinal: Bool { syntax.modifiers.contains { $0.name.tokenKind == .keyword(.final) } }

    var isOnMainActor: Bool { syntax.attributes.attribute(named: "MainActor") != nil }

    /// Whether it has one that sets everything up; a convenience initialiser calls another.
    var hasInitializer: Bool {
        syntax.memberBlock.members.compactMap { $0.decl.as(InitializerDeclSyntax.self) }.contains { initializer in
            !initializer.modifiers.contains { $0.name.tokenKind == .keyword(.convenience) }
        }
    }

    /// Whether the type of a setting may be private to a type, so that only its own members can have one of it.
    func mayHideType(of property: PropertyDeclaration) -> Bool {
        property.isPrivate && (property.mentions(privateTypes) || (isNested && !property.hasEvidentType))
    }

    private var privateTypes: Set<String> {
        let declarations = syntax.memberBlock.members.lazy.map(\.decl)
        return Set(
            declarations.compactMap { $0.asProtocol((any NamedDeclSyntax).self) }.compactMap { declaration in
                let modifiers = declaration.asProtocol((any WithModifiersSyntax).self)?.modifiers
                return modifiers?.access?.tokenKind == .keyword(.private) ? declaration.name.text : nil
            }
        )
    }
}

extension DeclGroupSyntax {
    /// The name of the type that is declared or extended.
    fileprivate var typeName: String {
        if let named = asProtocol((any NamedDeclSyntax).self) { return named.name.text }
        return self.as(ExtensionDeclSyntax.self)?.extendedType.trimmedDescription ?? ""
    }
}
