import SwiftDiagnostics
import SwiftSyntax

extension PropertyDeclaration {
    /// A range in which the value cannot be, as far as that can be seen; the rest is the compiler's.
    var rangeFault: Diagnostic? {
        guard let attribute = attribute("Setting"), let range = attribute.argument("in"), let kind else { return nil }
        let bounds = Set(range.tokens(viewMode: .sourceAccurate).compactMap(\.literalKind))
        guard !bounds.isEmpty, !bounds.isSubset(of: kind.bounds) else { return nil }
        return Diagnostic(
            "range",
            at: range,
            "'\(name)' is \(kind.rawValue), and its range must be one of such values",
            fixIt: .replace("remove the range", attribute, with: attribute.without("in"))
        )
    }

    private var kind: Kind? { type.flatMap(Kind.init) ?? defaultValue.flatMap(Kind.init) }
}

/// What a value evidently is.
private enum Kind: String {
    case truth = "true or false"
    case whole = "a whole number"
    case number = "a number"
    case text = "a text"

    var bounds: Set<Kind> {
        switch self {
        case .truth: []
        case .whole: [.whole]
        case .number: [.whole, .number]
        case .text: [.text]
        }
    }

    init?(_ type: TypeSyntax) {
        switch type.as(OptionalTypeSyntax.self)?.wrappedType.trimmedDescription ?? type.trimmedDescription {
        case "Bool": self = .truth
        case "Double", "Float": self = .number
        case "String": self = .text
        case "Int", "UInt": self = .whole
        default: return nil
        }
    }

    init?(_ value: ExprSyntax) {
        let value = value.as(PrefixOperatorExprSyntax.self)?.expression ?? value
        switch value.kind {
        case .booleanLiteralExpr: self = .truth
        case .integerLiteralExpr: self = .whole
        case .floatLiteralExpr: self = .number
        case .stringLiteralExpr: self = .text
        default: return nil
        }
    }
}

extension TokenSyntax {
    fileprivate var literalKind: Kind? {
        switch tokenKind {
        case .integerLiteral: .whole
        case .floatLiteral: .number
        case .stringSegment: .text
        default: nil
        }
    }
}

extension AttributeSyntax {
    /// The attribute without one of its arguments.
    fileprivate func without(_ label: String) -> AttributeSyntax {
        guard case .argumentList(let all) = arguments else { return self }
        let kept = all.filter { $0.label?.text != label }
        guard let last = kept.last else {
            return with(\.leftParen, nil).with(\.arguments, nil).with(\.rightParen, nil)
        }
        let ended = kept.dropLast() + [last.with(\.trailingComma, nil).with(\.trailingTrivia, [])]
        return with(\.arguments, .argumentList(LabeledExprListSyntax(Array(ended))))
    }
}
