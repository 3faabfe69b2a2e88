import SwiftDiagnostics
import SwiftSyntax

/// What can be seen of a type without knowing what its name stands for; the rest is the compiler's.
func unsupported(_ type: TypeSyntax) -> Diagnostic? {
    let type = type.unparenthesised
    if let optional = type.as(OptionalTypeSyntax.self) { return unsupported(optional.wrappedType) }
    if let array = type.as(ArrayTypeSyntax.self) { return unsupported(array.element) }
    if let dictionary = type.as(DictionaryTypeSyntax.self) {
        return unsupported(key: dictionary.key) ?? unsupported(dictionary.value)
    }
    if let (name, arguments) = type.named, !arguments.isEmpty {
        if name == "Dictionary", let key = unsupported(key: arguments[0]) { return key }
        return ["Array", "Set", "Optional", "Dictionary"].contains(name)
            ? unsupported(arguments[arguments.count - 1]) : nil
    }
    if let name = type.as(IdentifierTypeSyntax.self), let (twin, reason) = twins[name.name.text] {
        return Diagnostic(
            "twin",
            at: type,
            "'\(name.name.text)' cannot be a setting\(reason): use '\(twin)'",
            fixIt: .replace("use '\(twin)'", name, with: name.with(\.name, .identifier(twin)))
        )
    }
    if let optional = type.as(ImplicitlyUnwrappedOptionalTypeSyntax.self) {
        return Diagnostic(
            "implicitlyUnwrapped",
            at: type,
            "a setting may be none, and this would trap on it: use '\(optional.wrappedType.trimmed)?'",
            fixIt: .replace("use '?'", type, with: OptionalTypeSyntax(wrappedType: optional.wrappedType))
        )
    }
    guard let kind = unsupportedKind(type) else { return nil }
    return Diagnostic(
        "unsupportedType",
        at: type,
        "\(kind) cannot be a setting: use a type that is 'Codable' or has raw values, or '@SettingsIgnored'"
    )
}

private func unsupported(key: TypeSyntax) -> Diagnostic? {
    let simple = ["Bool", "Int", "UInt", "Double", "Float", "UUID", "URL", "Date", "Character"]
    guard let name = key.as(IdentifierTypeSyntax.self), simple.contains(name.name.text) else { return nil }
    return Diagnostic(
        "dictionaryKey",
        at: key,
        "the keys of a dictionary that is a setting are of type 'String'",
        fixIt: .replace("use 'String'", name, with: name.with(\.name, .identifier("String")))
    )
}

private func unsupportedKind(_ type: TypeSyntax) -> String? {
    if type.is(FunctionTypeSyntax.self) || type.is(AttributedTypeSyntax.self) { return "a function" }
    if type.is(TupleTypeSyntax.self) { return "a tuple" }
    if type.is(MetatypeTypeSyntax.self) { return "a type" }
    if type.is(SomeOrAnyTypeSyntax.self) || type.is(CompositionTypeSyntax.self) {
        return "'\(type.trimmed)', whose type is not known,"
    }
    if let name = type.as(IdentifierTypeSyntax.self)?.name.text, ["Any", "AnyObject", "AnyHashable"].contains(name) {
        return "'\(name)', whose type is not known,"
    }
    return nil
}

/// Types that have a better one in their place, and why.
private let twins: [String: (twin: String, reason: String)] = [
    "NSMutableString": ("String", ", because it changes without being assigned"),
    "NSMutableData": ("Data", ", because it changes without being assigned"),
    "CGFloat": ("Double", ""), "Character": ("String", ""), "Substring": ("String", ""),
]
