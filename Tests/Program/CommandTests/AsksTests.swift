import Foundation
import TestSupport
import Testing

@Suite("What users of similar programs ask for")
struct AsksTests {
    @Test("Each is answered, and each test whose beginning is named exists")
    func asks() throws {
        let text = try String(contentsOf: projectFolder.appending(path: "docs/asks.md"), encoding: .utf8)
        let rows = text.split(separator: "\n").filter { $0.wholeMatch(of: /\| [0-9]+ .*/) != nil }
        #expect(rows.count == 29)
        let known = try Self.tests()
        for (number, row) in zip(1..., rows) {
            let names = (row.split(separator: "|").last ?? "").matches(of: /"([^"]+)"/).map(\.1)
            #expect(!names.isEmpty || row.contains("`checks.py`") || Self.hasNoTest.contains(number), "\(row)")
            for name in names where !known.contains(where: { $0.hasPrefix(name) }) {
                Issue.record("there is no test that begins with: \(name)")
            }
        }
    }

    /// Code that is not there, and a whole suite.
    private static let hasNoTest: Set = [13, 29]

    /// The names of all tests and suites.
    private static func tests() throws -> Set<Substring> {
        let folder = projectFolder.appending(path: "Tests")
        let files = try FileManager.default.subpathsOfDirectory(atPath: folder.path).filter {
            $0.hasSuffix("Tests.swift")
        }
        let name = /@(?:Test|Suite)\(\s*"([^"]+)"|func `([^`]+)`/
        return try Set(
            files.flatMap { file in
                try String(contentsOf: folder.appending(path: file), encoding: .utf8).matches(of: name).compactMap {
                    $0.1 ?? $0.2
                }
            }
        )
    }
}
