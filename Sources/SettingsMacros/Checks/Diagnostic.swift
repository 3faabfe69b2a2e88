import SwiftDiagnostics
import SwiftSyntax
import SwiftSyntaxBuilder

/// The text of an error, or of a fix-it.
struct SettingsMessage: DiagnosticMessage, FixItMessage {
    let message: String
    var severity: DiagnosticSeverity { .error }
    var diagnosticID: MessageID { MessageID(domain: "Settings", id: "fault") }
    var fixItID: MessageID { diagnosticID }
}

extension Diagnostic {
    /// An error at a node, with at most one way to put it right.
    init(_ node: some SyntaxProtocol, _ message: String, _ fixIt: FixIt? = nil) {
        self.init(node: node, message: SettingsMessage(message: message), fixIts: fixIt.map { [$0] } ?? [])
    }
}

extension FixIt {
    /// Replaces a node; the space around it stays.
    static func replace(_ message: String, _ old: some SyntaxProtocol, with new: some SyntaxProtocol) -> FixIt {
        change(message, old, to: new.with(\.trailingTrivia, old.trailingTrivia))
    }

    /// Removes an attribute and the space after it.
    static func remove(_ attribute: AttributeSyntax) -> FixIt {
        change("remove '@\(attribute.name)'", attribute, to: TokenSyntax.identifier(""))
    }

    /// Removes a modifier and the space after it.
    static func remove(_ modifier: DeclModifierSyntax) -> FixIt {
        change("remove '\(modifier.name.text)'", modifier, to: TokenSyntax.identifier(""))
    }

    /// Writes a key in the place of an expression.
    static func use(_ key: String, in syntax: ExprSyntax) -> FixIt {
        .replace("use \"\(key)\"", syntax, with: StringLiteralExprSyntax(content: key))
    }

    private static func change(_ message: String, _ old: some SyntaxProtocol, to new: some SyntaxProtocol) -> FixIt {
        let new = new.with(\.leadingTrivia, old.leadingTrivia)
        return FixIt(
            message: SettingsMessage(message: message),
            changes: [.replace(oldNode: Syntax(old), newNode: Syntax(new))]
        )
    }
}
