import SwiftSyntax
import SwiftSyntaxBuilder
import SwiftSyntaxMacros

enum SettingMacro: AccessorMacro {
    // The code is laid out here, because columns count.
    static var formatMode: FormatMode { .disabled }

    static func expansion(
        of node: AttributeSyntax,
        providingAccessorsOf declaration: some DeclSyntaxProtocol,
        in context: some MacroExpansionContext
    ) throws -> [AccessorDeclSyntax] {
        guard context.classHas("ObservableSettings") else {
            context.diagnose(.outsideOfSettingsClass(node))
            return []
        }
        guard let property = PropertyDeclaration(declaration), property.isSetting, property.canHaveAccessors else {
            return []
        }
        // The class's macro reports the fault; these accessors keep the compiler from reporting more.
        guard property.isSound else { return ["get { fatalError() }", "set {}"] }
        let value = "storage[Self.\(property.keysName).\(property.spelling)]"
        return [
            "\n    get {\n\(raw: property.placed(value, in: context))\n    }",
            "\n    set {\n        \(raw: value) = newValue\n    }\n",
        ]
    }
}

/// `@Secret` and `@Synced`, which the macro of the class reads.
enum SettingMarkerMacro: PeerMacro {
    static func expansion(
        of node: AttributeSyntax,
        providingPeersOf declaration: some DeclSyntaxProtocol,
        in context: some MacroExpansionContext
    ) throws -> [DeclSyntax] {
        if !context.classHas("ObservableSettings") { context.diagnose(.outsideOfSettingsClass(node)) }
        return []
    }
}

extension MacroExpansionContext {
    func classHas(_ attribute: String) -> Bool {
        lexicalContext.first?.asProtocol((any WithAttributesSyntax).self)?.attributes.attribute(named: attribute) != nil
    }
}

extension PropertyDeclaration {
    var keysName: String { isPrivate ? "privateKeys" : "keys" }

    /// The lines of a getter that reads a value, or a member of it, placed so that the compiler's message about the type appears
    /// at the type.
    func placed(_ value: String, member: String? = nil, in context: some MacroExpansionContext) -> String {
        guard !hasEvidentType || range != nil,
            let place = context.location(of: typeSyntax, at: .afterLeadingTrivia, filePathMode: .filePath),
            let column = Int(place.column.trimmedDescription), let line = Int(place.line.trimmedDescription)
        else { return "        " + value + (member.map { ".\($0)" } ?? "") }
        func source(_ line: Int) -> String { "#sourceLocation(file: \(place.file.trimmed), line: \(line))" }
        func space(_ count: Int) -> String { String(repeating: " ", count: max(0, count)) }
        let lines =
            member.map { [source(line - 1), value, "\(space(column - 2)).\($0)"] }
            ?? [source(line), space(column - 1) + value]
        return (lines + ["#sourceLocation()"]).joined(separator: "\n")
    }
}
