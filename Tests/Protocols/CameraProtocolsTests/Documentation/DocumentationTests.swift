import CameraProtocols
import Foundation
import TestSupport
import Testing

@Suite("The documentation")
struct DocumentationTests {
    private let catalog = projectFolder.appending(path: "Sources/Protocols/CameraProtocols/CameraProtocols.docc")

    @Test func `The documentation has only snippets that are compiled here, word for word`() throws {
        let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Snippets.swift")
        #expect(try uncompiledSnippets(in: catalog, compiled: file) == [])
    }

    @Test func `The documentation explains each reason`() throws {
        let text = try String(contentsOf: catalog.appending(path: "Reasons.md"), encoding: .utf8)
        let rows = text.split(separator: "\n").filter { $0.hasPrefix("| `") }
        #expect(rows.map { String($0.dropFirst(3).prefix { $0 != "`" }) } == ProbeReason.allCases.map(\.rawValue))
    }
}
