import SwiftDiagnostics
import SwiftSyntax

/// What is wrong with a declaration, and how to put it right.
struct SettingsDiagnostic: DiagnosticMessage, FixItMessage {
    let message: String
    let name: String
    var severity: DiagnosticSeverity { .error }

    var diagnosticID: MessageID { MessageID(domain: "Settings", id: name) }
    var fixItID: MessageID { diagnosticID }
}

extension Diagnostic {
    /// An error at a node, with at most one way out.
    init(_ name: String, at node: some SyntaxProtocol, _ message: String, fixIt: FixIt? = nil) {
        self.init(
            node: node,
            message: SettingsDiagnostic(message: message, name: name),
            fixIts: fixIt.map { [$0] } ?? []
        )
    }
}

extension FixIt {
    /// Puts a node in the place of another; the space around that stays.
    static func replace(_ message: String, _ old: some SyntaxProtocol, with new: some SyntaxProtocol) -> FixIt {
        change(message, old, to: new.with(\.trailingTrivia, old.trailingTrivia))
    }

    /// Takes an attribute away, and the space behind it.
    static func remove(_ attribute: AttributeSyntax) -> FixIt {
        change("remove '@\(attribute.name)'", attribute, to: TokenSyntax.identifier(""))
    }

    /// Takes a modifier away, and the space behind it.
    static func remove(_ modifier: DeclModifierSyntax) -> FixIt {
        change("remove '\(modifier.name.text)'", modifier, to: TokenSyntax.identifier(""))
    }

    private static func change(_ message: String, _ old: some SyntaxProtocol, to new: some SyntaxProtocol) -> FixIt {
        FixIt(
            message: SettingsDiagnostic(message: message, name: "fix"),
            changes: [
                .replace(oldNode: Syntax(old), newNode: Syntax(new.with(\.leadingTrivia, old.leadingTrivia)))
            ]
        )
    }
}
