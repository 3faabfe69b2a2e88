import SwiftSyntax
import SwiftSyntaxMacros

extension PropertyDeclaration {
    /// Code that reads the value, where the compiler's message about a type that cannot be had is one at the type.
    ///
    /// Columns count: the code must not be laid out anew.
    ///
    /// - Parameters:
    ///   - value: What is read; the message is one at its beginning, or at its member if one is asked for.
    ///   - member: A member of the value that is read.
    ///   - context: Knows where the type is.
    /// - Returns: The lines for the body of a getter.
    func placed(_ value: String, member: String? = nil, in context: some MacroExpansionContext) -> String {
        guard !hasEvidentType,
            let place = context.location(of: typeSyntax, at: .afterLeadingTrivia, filePathMode: .filePath),
            let column = Int(place.column.trimmedDescription), let line = Int(place.line.trimmedDescription)
        else { return "        " + value + (member.map { ".\($0)" } ?? "") }
        func source(_ line: Int) -> String { "#sourceLocation(file: \(place.file.trimmed), line: \(line))" }
        func space(_ count: Int) -> String { String(repeating: " ", count: max(0, count)) }
        guard let member else {
            return [source(line), space(column - 1) + value, "#sourceLocation()"].joined(separator: "\n")
        }
        return [source(line - 1), value, "\(space(column - 2)).\(member)", "#sourceLocation()"]
            .joined(separator: "\n")
    }
}
