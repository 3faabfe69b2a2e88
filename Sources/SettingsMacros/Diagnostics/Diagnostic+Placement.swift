import SwiftDiagnostics
import SwiftSyntax

extension Diagnostic {
    /// `@ObservableSettings` on a structure, an enumeration, an actor or a protocol.
    static func notAClass(_ declaration: some DeclGroupSyntax, _ attribute: AttributeSyntax) -> Diagnostic {
        let keyword = declaration.introducer
        let replaceable: [TokenKind] = [.keyword(.struct), .keyword(.actor)]
        let isFinal = declaration.modifiers.contains { $0.name.tokenKind == .keyword(.final) }
        let word = isFinal ? "class" : "final class"
        let fix =
            replaceable.contains(keyword.tokenKind)
            ? FixIt.replace("use '\(word)'", keyword, with: TokenSyntax.identifier(word)) : nil
        return Diagnostic(
            "notAClass",
            at: attribute,
            "'@ObservableSettings' needs a class, and this is '\(keyword.text)'",
            fixIt: fix
        )
    }

    /// A subclass of a class that has settings.
    static func inheritsSettings(_ superclass: InheritedTypeSyntax) -> Diagnostic {
        Diagnostic(
            "inheritsSettings",
            at: superclass.type,
            "'\(superclass.type.trimmed)' has settings, and a class inherits all of them or declares its own: make this one "
                + "a class by itself, with the same scope and another prefix"
        )
    }

    /// An attribute of a property whose class has none.
    static func outsideOfSettingsClass(_ attribute: AttributeSyntax) -> Diagnostic {
        Diagnostic(
            "outsideOfSettingsClass",
            at: attribute,
            "'@\(attribute.name)' needs '@ObservableSettings' on the class that declares the property",
            fixIt: .remove(attribute)
        )
    }

    static func nothingToIgnore(_ attribute: AttributeSyntax, _ property: PropertyDeclaration?) -> Diagnostic {
        if let modifier = property?.modifier(.weak, .unowned, .lazy)?.name.text {
            return Diagnostic(
                "unshareable",
                at: attribute,
                "'@SettingsIgnored' shares a variable between threads, and a '\(modifier)' one cannot be: isolate the class, "
                    + "as by '@MainActor', and leave the attribute away",
                fixIt: .remove(attribute)
            )
        }
        return Diagnostic(
            "nothingToIgnore",
            at: attribute,
            "'@SettingsIgnored' is for stored variables, one by one; anything else is no setting anyway",
            fixIt: .remove(attribute)
        )
    }
}

extension SettingsClass {
    /// Whether it says itself that it is a model.
    var statesConformance: Bool {
        syntax.inheritanceClause?.inheritedTypes.contains { $0.type.trimmedDescription.hasSuffix("SettingsModel") }
            ?? false
    }
}

extension DeclGroupSyntax {
    fileprivate var introducer: TokenSyntax {
        if let syntax = self.as(StructDeclSyntax.self) { return syntax.structKeyword }
        if let syntax = self.as(ActorDeclSyntax.self) { return syntax.actorKeyword }
        if let syntax = self.as(EnumDeclSyntax.self) { return syntax.enumKeyword }
        if let syntax = self.as(ProtocolDeclSyntax.self) { return syntax.protocolKeyword }
        return firstToken(viewMode: .sourceAccurate) ?? .identifier("")
    }
}
