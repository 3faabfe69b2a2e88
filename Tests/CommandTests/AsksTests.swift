import Foundation
import Testing

@Suite("What users of the others ask for")
struct AsksTests {
    private static let root = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    @Test("Each is answered, and each test that is named exists")
    func asks() throws {
        let text = try String(contentsOf: Self.root.appending(path: "docs/asks.md"), encoding: .utf8)
        let rows = text.split(separator: "\n").filter { $0.wholeMatch(of: /\| [0-9]+ .*/) != nil }
        #expect(rows.count == 29)
        let sources = try Self.tests()
        for row in rows {
            let names = (row.split(separator: "|").last ?? "").matches(of: /"([^"]+)"/).map(\.1)
            for name in names { #expect(sources.contains(name), "\(name)") }
        }
    }

    /// All tests, as one text.
    private static func tests() throws -> String {
        let folder = root.appending(path: "Tests")
        let files = try FileManager.default.subpathsOfDirectory(atPath: folder.path).filter {
            $0.hasSuffix("Tests.swift")
        }
        return try files.map { try String(contentsOf: folder.appending(path: $0), encoding: .utf8) }.joined()
    }
}
