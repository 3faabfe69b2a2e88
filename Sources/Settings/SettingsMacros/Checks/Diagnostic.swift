import SwiftDiagnostics
import SwiftSyntax

private struct SettingsMessage: DiagnosticMessage {
    let message: String
    var severity: DiagnosticSeverity { .error }
    var diagnosticID: MessageID { MessageID(domain: "Settings", id: "fault") }
}

extension Diagnostic {
    /// An error at a node, which says what is wrong and how it has to be.
    init(_ node: some SyntaxProtocol, _ message: String) {
        self.init(node: node, message: SettingsMessage(message: message))
    }
}
