import SwiftParser
import SwiftSyntax
import SwiftSyntaxBuilder

extension AttributeListSyntax {
    func attribute(named name: String) -> AttributeSyntax? {
        lazy.compactMap { $0.as(AttributeSyntax.self) }.first { $0.name == name }
    }
}

extension AttributeSyntax {
    /// The name without its module.
    var name: String {
        attributeName.as(MemberTypeSyntax.self)?.name.text ?? attributeName.as(IdentifierTypeSyntax.self)?.name.text
            ?? attributeName.trimmedDescription
    }

    /// Whether it is a property wrapper, an actor, or a macro of another library.
    var isForeign: Bool {
        let known = ["ObservableSettings", "Setting", "Secret", "Synced", "SettingsIgnored", "MainActor"]
        return !known.contains(name) && name.first?.isUppercase == true
    }

    func argument(_ label: String) -> ExprSyntax? {
        guard case .argumentList(let arguments) = arguments else { return nil }
        return arguments.first { $0.label?.text == label }?.expression
    }
}

extension DeclModifierListSyntax {
    /// The access that is written for reading, such as 'public'.
    var access: TokenSyntax? {
        let levels: [Keyword] = [.public, .open, .package, .internal, .fileprivate, .private]
        return lazy.filter { $0.detail == nil }.map(\.name).first { name in
            levels.contains { name.tokenKind == .keyword($0) }
        }
    }
}

extension ExprSyntax {
    /// The text of a literal without interpolation.
    var literalText: String? { self.as(StringLiteralExprSyntax.self)?.representedLiteralValue }

    /// The name after the dot of `.snakeCase`.
    var memberName: String? { self.as(MemberAccessExprSyntax.self)?.declName.baseName.text }

    var isWholeLiteral: Bool {
        (self.as(PrefixOperatorExprSyntax.self)?.expression ?? self).is(IntegerLiteralExprSyntax.self)
    }
}

extension StringProtocol {
    /// Whether a store accepts the text as the name of a scope or key.
    var isName: Bool { !isEmpty && utf8.count <= 512 && !unicodeScalars.contains { $0.value < 0x20 } }

    var trimmed: String {
        let end = reversed().drop(while: \.isWhitespace)
        return String(String(end.reversed()).drop(while: \.isWhitespace))
    }
}

extension String {
    var literal: String { StringLiteralExprSyntax(content: self).description }
}

/// Names as generated code spells them, where the user's module may have types of the same names.
///
/// A module selector (SE-0491) means the module, also where a type has the same name.
enum Qualified {
    #if compiler(>=6.3) && canImport(SwiftSyntax603)
        static let settings = "StoredSettings::"
        static let swift = "Swift::"
    #else
        static let settings = ""
        static let swift = ""
    #endif
}
