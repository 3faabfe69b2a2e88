import SwiftDiagnostics
import SwiftParser
import SwiftSyntax
import SwiftSyntaxMacroExpansion
import SwiftSyntaxMacros

@testable import SettingsMacros

/// What the macros make of a source: the text, what they have to say, and the text after all fix-its.
struct Expansion: CustomStringConvertible {
    let expanded: String
    let diagnostics: [String]
    let fixed: String

    init(of source: String) {
        let file = Parser.parse(source: source)
        let context = BasicMacroExpansionContext(sourceFiles: [file: .init(moduleName: "Test", fullFilePath: "Test.swift")])
        expanded = file.expand(
            macros: [
                "ObservableSettings": ObservableSettingsMacro.self, "Setting": SettingMacro.self,
                "Secret": SettingMarkerMacro.self, "Synced": SettingMarkerMacro.self,
                "SettingsIgnored": SettingsIgnoredMacro.self,
            ],
            contextGenerator: { node in
                BasicMacroExpansionContext(sharingWith: context, lexicalContext: node.allMacroLexicalContexts())
            },
            indentationWidth: .spaces(4)
        ).description
        let converter = SourceLocationConverter(fileName: "", tree: file)
        diagnostics = context.diagnostics.map { diagnostic in
            let place = context.location(
                for: diagnostic.position,
                anchoredAt: diagnostic.node,
                fileName: ""
            )
            let location = converter.location(for: AbsolutePosition(utf8Offset: place.offset))
            let fixes = diagnostic.fixIts.map { "\n    fix: \($0.message.message)" }.joined()
            return "\(location.line):\(location.column): \(diagnostic.diagMessage.severity): \(diagnostic.message)\(fixes)"
        }
        fixed = Self.apply(context.diagnostics, to: source, context)
    }

    private static func apply(
        _ diagnostics: [Diagnostic],
        to source: String,
        _ context: BasicMacroExpansionContext
    ) -> String {
        let edits = diagnostics.flatMap(\.fixIts).flatMap(\.changes).compactMap { change -> (Range<Int>, String)? in
            guard case .replace(let old, let new) = change else { return nil }
            let place = context.location(for: old.position, anchoredAt: old, fileName: "")
            return (place.offset..<place.offset + old.totalLength.utf8Length, new.description)
        }
        var bytes = Array(source.utf8)
        for (range, text) in edits.sorted(by: { $0.0.lowerBound > $1.0.lowerBound }) {
            bytes.replaceSubrange(range, with: text.utf8)
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    var description: String {
        var parts = [expanded]
        if !diagnostics.isEmpty { parts.append("/*\n" + diagnostics.joined(separator: "\n") + "\n*/\n") }
        return parts.joined(separator: "\n")
    }
}
