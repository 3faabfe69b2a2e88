import SwiftSyntax

/// A property that becomes a setting, with its attributes and its key.
struct SettingDeclaration {
    let property: PropertyDeclaration
    let key: String
    let previousKeys: [String]
    let keySyntax: Syntax

    /// Takes the key that follows from the name, unless the property has one of its own.
    init(_ property: PropertyDeclaration, derivedKey: String) {
        self.property = property
        let explicit = property.attribute("Setting")?.argument("key")
        key = explicit?.literalText ?? derivedKey
        keySyntax = explicit.map(Syntax.init) ?? Syntax(property.binding.pattern)
        let previous = property.attribute("Setting")?.argument("previousKeys")?.as(ArrayExprSyntax.self)
        previousKeys = previous?.elements.compactMap { $0.expression.literalText } ?? []
    }

    func keyDeclaration(className: String) -> String {
        var arguments = ["\(key.literal)", "default: \(defaultValue(className))"]
        if let range = property.range { arguments.append("in: \(range.qualifying(className))") }
        arguments.append("\(Qualified.settings)SettingMetadata(\(metadata(className).joined(separator: ", ")))")
        return "\(Qualified.settings)SettingsKey(\(arguments.joined(separator: ", ")))"
    }

    private func metadata(_ className: String) -> [String] {
        var arguments: [String] = []
        if !previousKeys.isEmpty {
            arguments.append("previousKeys: [\(previousKeys.map(\.literal).joined(separator: ", "))]")
        }
        if let constraints = property.attribute("Setting")?.argument("constraints") {
            arguments.append("constraints: \(constraints.qualifying(className))")
        }
        if property.attribute("Secret") != nil { arguments.append("isSecret: true") }
        if let synced = property.attribute("Synced") {
            let policy = synced.arguments.map { "(\($0.qualifying(className)))" } ?? "()"
            arguments.append("sync: \(Qualified.settings)SyncPolicy\(policy)")
        }
        if let documentation = documentation(className) { arguments.append("documentation: \(documentation)") }
        return arguments
    }

    private func defaultValue(_ className: String) -> String {
        var value = property.defaultValue?.qualifying(className) ?? "nil"
        // `if` and `switch` are expressions in some places only.
        let isStatement = property.defaultValue?.is(IfExprSyntax.self) ?? false
        if isStatement || property.defaultValue?.is(SwitchExprSyntax.self) ?? false { value = "{ \(value) }()" }
        // Without a type, a whole-number literal would get the type of the bounds of the range.
        let isWhole = property.range != nil && property.defaultValue?.isWholeLiteral == true
        let type = property.type?.trimmedDescription ?? (isWhole ? "\(Qualified.swift)Int" : nil)
        return type.map { "(\(value)) as \($0)" } ?? value
    }

    private func documentation(_ className: String) -> String? {
        if let explicit = property.attribute("Setting")?.argument("documentation") {
            return explicit.qualifying(className)
        }
        return property.documentation.isEmpty ? nil : property.documentation.literal
    }
}

extension SyntaxProtocol {
    /// The expression, with `Self` replaced by the class, because the expression is moved into another type.
    fileprivate func qualifying(_ className: String) -> String {
        SelfQualifier(className).rewrite(self).trimmedDescription
    }
}

private final class SelfQualifier: SyntaxRewriter {
    private let className: String

    init(_ className: String) {
        self.className = className
        super.init()
    }

    override func visit(_ token: TokenSyntax) -> TokenSyntax {
        token.tokenKind == .keyword(.Self) ? token.with(\.tokenKind, .identifier(className)) : token
    }
}
