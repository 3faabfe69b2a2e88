import SwiftDiagnostics
import SwiftSyntax

private struct SettingsMessage: DiagnosticMessage {
    let message: String
    var severity: DiagnosticSeverity { .error }
    var diagnosticID: MessageID { MessageID(domain: "Settings", id: "fault") }
}

extension Diagnostic {
    init(_ node: some SyntaxProtocol, _ message: String) {
        self.init(node: node, message: SettingsMessage(message: message))
    }
}
