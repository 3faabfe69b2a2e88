import SwiftDiagnostics
import SwiftSyntax

/// What can be seen of a type without knowing what its name stands for; the rest is the compiler's.
func unsupported(_ type: TypeSyntax) -> Diagnostic? {
    if let optional = type.as(OptionalTypeSyntax.self) { return unsupported(optional.wrappedType) }
    if let array = type.as(ArrayTypeSyntax.self) { return unsupported(array.element) }
    if let dictionary = type.as(DictionaryTypeSyntax.self) { return unsupported(dictionary) }
    if let name = type.as(IdentifierTypeSyntax.self), let twin = foundationTwins[name.name.text] {
        return Diagnostic(
            "foundationClass",
            at: type,
            "'\(name.name.text)' cannot be a setting, because it is not 'Sendable': use '\(twin)'",
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
        "\(kind) cannot be a setting: use a type that is 'SettingConvertible' or 'CodableSetting', or '@SettingsIgnored'"
    )
}

private func unsupported(_ dictionary: DictionaryTypeSyntax) -> Diagnostic? {
    let simple = ["Bool", "Int", "UInt", "Double", "Float", "UUID", "URL", "Date", "Character"]
    guard let key = dictionary.key.as(IdentifierTypeSyntax.self), simple.contains(key.name.text) else {
        return unsupported(dictionary.value)
    }
    return Diagnostic(
        "dictionaryKey",
        at: dictionary.key,
        "the keys of a dictionary that is a setting are of type 'String'",
        fixIt: .replace("use 'String'", key, with: key.with(\.name, .identifier("String")))
    )
}

private func unsupportedKind(_ type: TypeSyntax) -> String? {
    if type.is(FunctionTypeSyntax.self) || type.is(AttributedTypeSyntax.self) { return "a function" }
    if type.is(TupleTypeSyntax.self) { return "a tuple" }
    if type.is(SomeOrAnyTypeSyntax.self) { return "'\(type.trimmed)', whose type is not known," }
    if let name = type.as(IdentifierTypeSyntax.self)?.name.text, ["Any", "AnyObject", "AnyHashable"].contains(name) {
        return "'\(name)', whose type is not known,"
    }
    return nil
}

private let foundationTwins = [
    "NSString": "String", "NSMutableString": "String", "NSData": "Data", "NSMutableData": "Data", "NSDate": "Date",
    "NSURL": "URL", "NSUUID": "UUID", "NSNumber": "Double", "NSDecimalNumber": "Decimal", "CGFloat": "Double",
]
