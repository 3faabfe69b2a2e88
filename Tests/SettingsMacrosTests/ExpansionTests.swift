import Foundation
import Testing

/// Each file in Expansions is a source; beside it, with the ending `.expanded`, stands what the macros make of it. Set
/// UPDATE_SNAPSHOTS=1 to write these anew, and review them like code.
@Suite("Expansion of the macros")
struct ExpansionTests {
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Expansions")

    static let names = try! FileManager.default.contentsOfDirectory(atPath: folder.path)
        .filter { $0.hasSuffix(".swift") }
        .map { String($0.dropLast(6)) }
        .sorted()

    @Test("is what was reviewed", arguments: names)
    func snapshot(name: String) throws {
        let source = try String(contentsOf: Self.folder.appending(path: name + ".swift"), encoding: .utf8)
        let expansion = Expansion(of: source)
        let file = Self.folder.appending(path: name + ".expanded")
        if ProcessInfo.processInfo.environment["UPDATE_SNAPSHOTS"] == "1" {
            try Data("\(expansion)".utf8).write(to: file)
        }
        #expect(try "\(expansion)" == String(contentsOf: file, encoding: .utf8))
    }

    @Test("every fix-it leaves a source of which there is nothing to say but for placeholders", arguments: names)
    func fixIts(name: String) throws {
        let source = try String(contentsOf: Self.folder.appending(path: name + ".swift"), encoding: .utf8)
        let expansion = Expansion(of: source)
        let withFix = expansion.diagnostics.filter { $0.contains("fix:") }
        let remaining = Expansion(of: expansion.fixed).diagnostics
        #expect(remaining.count == expansion.diagnostics.count - withFix.count, "\(remaining)\n\(expansion.fixed)")
    }
}
