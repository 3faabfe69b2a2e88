import SwiftSyntax

extension PropertyDeclaration {
    /// Whether its type is known to be one of a setting, so that the compiler will have no message about it.
    var hasEvidentType: Bool { type.map(\.isEvident) ?? defaultValue?.isEvident ?? false }

    /// What the compiler's message about its type is to point at.
    var typeSyntax: Syntax {
        range.map(Syntax.init) ?? type.map(Syntax.init) ?? defaultValue.map(Syntax.init) ?? Syntax(binding.pattern)
    }

    var range: ExprSyntax? { attribute("Setting")?.argument("in") }

    func mentions(_ names: Set<String>) -> Bool {
        let tokens = [type.map(Syntax.init), defaultValue.map(Syntax.init)].compactMap(\.self)
        return tokens.contains { $0.tokens(viewMode: .sourceAccurate).contains { names.contains($0.text) } }
    }
}

extension TypeSyntax {
    var unparenthesised: TypeSyntax {
        guard let tuple = self.as(TupleTypeSyntax.self), let only = tuple.elements.first, tuple.elements.count == 1
        else { return self }
        return only.type.unparenthesised
    }

    /// The name of a type, with or without `Swift.` before it, and its generic arguments.
    var named: (name: String, arguments: [TypeSyntax])? {
        if let type = self.as(IdentifierTypeSyntax.self) {
            return (type.name.text, type.genericArgumentClause.arguments)
        }
        guard let type = self.as(MemberTypeSyntax.self), type.baseType.trimmedDescription == "Swift" else { return nil }
        return (type.name.text, type.genericArgumentClause.arguments)
    }

    /// The `Secret<…>` of a type such as `[Secret<String>]?`.
    var secretElement: TypeSyntax? {
        let type = unparenthesised
        if let optional = type.as(OptionalTypeSyntax.self) { return optional.wrappedType.secretElement }
        let named = type.named
        let isCollection = ["Array", "Set", "Dictionary"].contains(named?.name)
        let element = type.as(ArrayTypeSyntax.self)?.element ?? type.as(DictionaryTypeSyntax.self)?.value
        guard let element = element ?? (isCollection ? named?.arguments.last : nil)?.unparenthesised else { return nil }
        let isSecret = element.named.map { $0.name == "Secret" && $0.arguments.count == 1 } ?? false
        return isSecret ? element : element.secretElement
    }

    fileprivate var isEvident: Bool {
        let type = unparenthesised
        if let optional = type.as(OptionalTypeSyntax.self) { return optional.wrappedType.isEvident }
        if let array = type.as(ArrayTypeSyntax.self) { return array.element.isEvident }
        if let dictionary = type.as(DictionaryTypeSyntax.self) {
            return dictionary.key.isEvident && dictionary.value.isEvident
        }
        guard let (name, arguments) = type.named else { return false }
        return evidentTypes.contains(name) && arguments.allSatisfy(\.isEvident)
    }
}

extension GenericArgumentClauseSyntax? {
    fileprivate var arguments: [TypeSyntax] {
        self?.arguments.compactMap { if case .type(let type) = $0.argument { type } else { nil } } ?? []
    }
}

extension ExprSyntax {
    fileprivate var isEvident: Bool {
        if let array = self.as(ArrayExprSyntax.self) { return array.elements.allSatisfy(\.expression.isEvident) }
        if let prefixed = self.as(PrefixOperatorExprSyntax.self) { return prefixed.expression.isEvident }
        let literals: [SyntaxKind] = [
            .booleanLiteralExpr, .integerLiteralExpr, .floatLiteralExpr, .stringLiteralExpr,
        ]
        return literals.contains(kind)
    }
}

private let evidentTypes: Set<String> = [
    "Bool", "Int", "Int8", "Int16", "Int32", "Int64", "Int128", "UInt", "UInt8", "UInt16", "UInt32", "UInt64",
    "UInt128", "Float", "Double", "String", "Array", "Set", "Dictionary", "Optional",
]
