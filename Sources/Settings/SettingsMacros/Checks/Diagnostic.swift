import SwiftDiagnostics
import SwiftSyntax
import SwiftSyntaxMacros

extension Diagnostic {
    init(_ node: some SyntaxProtocol, _ message: String) {
        self.init(node: node, message: MacroExpansionErrorMessage(message))
    }
}
