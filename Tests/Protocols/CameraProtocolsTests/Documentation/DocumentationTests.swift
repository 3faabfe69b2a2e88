import CameraProtocols
import Foundation
import TestSupport
import Testing

@Suite("The documentation")
struct DocumentationTests {
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent()
    private static let catalog = projectFolder.appending(path: "Sources/Protocols/CameraProtocols/CameraProtocols.docc")

    private static func text(_ article: String) throws -> String {
        try String(contentsOf: catalog.appending(path: article), encoding: .utf8)
    }

    /// Without what depends on where it stands.
    private static func unindented(_ code: String) -> String {
        code.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }.joined(separator: "\n")
    }

    @Test("The documentation has only snippets that are compiled here, word for word")
    func snippets() throws {
        let file = Self.folder.appending(path: "Snippets.swift")
        let compiled = Self.unindented(try String(contentsOf: file, encoding: .utf8))
        let articles = try FileManager.default.contentsOfDirectory(atPath: Self.catalog.path)
        #expect(articles.count >= 5)
        for article in articles {
            let snippets = try Self.text(article).components(separatedBy: "```swift\n").dropFirst().map {
                $0.components(separatedBy: "```")[0]
            }
            #expect(!snippets.isEmpty, "\(article)")
            for snippet in snippets { #expect(compiled.contains(Self.unindented(snippet)), "\(article):\n\(snippet)") }
        }
    }

    @Test("The documentation explains each reason")
    func reasons() throws {
        let rows = try Self.text("Reasons.md").split(separator: "\n").filter { $0.hasPrefix("| `") }
        #expect(rows.map { String($0.dropFirst(3).prefix { $0 != "`" }) } == ProbeReason.allCases.map(\.rawValue))
    }
}
