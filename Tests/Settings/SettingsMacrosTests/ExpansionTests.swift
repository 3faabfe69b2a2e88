import Foundation
import Testing

/// What the compiler says of each source in Expansions, and what the macros write, is in the file beside it.
///
/// Set UPDATE_SNAPSHOTS=1 to write these anew, and review them like code.
@Suite("Expansion of the macros", .enabled(if: isCompilerOfSnapshots, "other compilers use other words"))
struct ExpansionTests {
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Expansions")

    static let names = fileNames(in: folder, suffix: ".swift").map { String($0.dropLast(6)) }

    @Test("is what was reviewed", arguments: names)
    func snapshot(name: String) async throws {
        let source = try String(contentsOf: Self.folder.appending(path: name + ".swift"), encoding: .utf8)
        let output = try await compilerOutput(for: source, flags: ["-Xfrontend", "-dump-macro-expansions"])
        let file = Self.folder.appending(path: name + ".expanded")
        if ProcessInfo.processInfo.environment["UPDATE_SNAPSHOTS"] == "1" { try Data(output.utf8).write(to: file) }
        #expect(try output == String(contentsOf: file, encoding: .utf8))
    }
}

private var isCompilerOfSnapshots: Bool {
    #if compiler(>=6.3) && compiler(<6.4)
        true
    #else
        false
    #endif
}
