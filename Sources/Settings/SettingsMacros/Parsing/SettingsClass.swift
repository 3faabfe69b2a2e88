import SwiftSyntax
import SwiftSyntaxMacros

/// A class whose stored variables are settings.
struct SettingsClass {
    let syntax: ClassDeclSyntax
    let attribute: AttributeSyntax
    /// The variables in the order of the text, without those under a condition.
    let properties: [PropertyDeclaration]
    let settings: [SettingDeclaration]
    /// The names of the module, of the types that the class is in, and of the class: two classes of one name share nothing.
    let scope: String
    /// The types that the class is in, from the inside out.
    private let enclosing: [any DeclGroupSyntax]

    init?(_ declaration: some DeclGroupSyntax, _ attribute: AttributeSyntax, in context: some MacroExpansionContext) {
        guard let syntax = declaration.as(ClassDeclSyntax.self) else { return nil }
        self.syntax = syntax
        self.attribute = attribute
        enclosing = context.lexicalContext.compactMap { $0.asProtocol((any DeclGroupSyntax).self) }
        let name = (enclosing.reversed().map(\.typeName) + [syntax.name.text]).joined(separator: ".")
        // 'Module/File.swift'
        let file = context.location(of: attribute, at: .afterLeadingTrivia, filePathMode: .fileID)?.file.literalText
        let module = file?.split(separator: "/").first.map { $0 + "." } ?? ""
        let written = attribute.argument("scope")?.literalText
        scope = written ?? module + name
        properties = syntax.memberBlock.members.compactMap { PropertyDeclaration($0.decl) }
        let prefix = attribute.argument("prefix")?.literalText ?? "\(written ?? name)."
        let isSnakeCase = attribute.argument("naming")?.memberName == "snakeCase"
        settings = properties.filter(\.isSetting).map { property in
            SettingDeclaration(property, derivedKey: prefix + (isSnakeCase ? property.name.snakeCased : property.name))
        }
    }

    var name: String { syntax.name.text }

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

    /// Whether an actor may guard it: an attribute of another library may be one.
    var mayBeIsolated: Bool {
        isOnMainActor || syntax.attributes.contains { $0.as(AttributeSyntax.self)?.isForeign == true }
    }

    /// The first type that the class names, which may be its superclass.
    var superclass: InheritedTypeSyntax? { syntax.inheritanceClause?.inheritedTypes.first }

    var statesConformance: Bool {
        syntax.inheritanceClause?.inheritedTypes.contains { $0.type.trimmedDescription.hasSuffix("SettingsModel") }
            ?? false
    }

    /// Whether it has an initialiser that sets everything up.
    var hasInitializer: Bool { !designatedInitializers.isEmpty }

    /// The initialisers that set everything up; a convenience initialiser calls another.
    var designatedInitializers: [InitializerDeclSyntax] {
        syntax.memberBlock.members.compactMap { $0.decl.as(InitializerDeclSyntax.self) }.filter { initializer in
            !initializer.modifiers.contains { $0.name.tokenKind == .keyword(.convenience) }
        }
    }

    /// The names of the class's members; inside the class they hide outer declarations of the same names.
    var memberNames: Set<String> {
        let declarations = syntax.memberBlock.members.map(\.decl)
        let named = declarations.compactMap { $0.asProtocol((any NamedDeclSyntax).self)?.name.text }
        return Set(named + properties.map(\.name) + ["storage", "keys", "schema"])
    }

    /// Whether the setting's type may be private: then only members of the enclosing type can use the type.
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
    fileprivate var typeName: String {
        if let named = asProtocol((any NamedDeclSyntax).self) { return named.name.text }
        return self.as(ExtensionDeclSyntax.self)?.extendedType.trimmedDescription ?? ""
    }
}

extension String {
    /// `printer_ip` of `printerIP`.
    fileprivate var snakeCased: String {
        var result = ""
        let characters = Array(self)
        for (index, character) in characters.enumerated() {
            if character.isUppercase, index > 0 {
                let followsLower = !characters[index - 1].isUppercase
                let endsAcronym = index + 1 < characters.count && characters[index + 1].isLowercase
                if (followsLower || endsAcronym), characters[index - 1] != "_" { result += "_" }
            }
            result += character.lowercased()
        }
        return result
    }
}
