import Foundation
import Testing

/// Programs that are right; what flags they need stands in their first lines.
@Suite("The forms that a class of settings can have")
struct AcceptedProgramsTests {
    private static let folder = URL(filePath: #filePath)
        .deletingLastPathComponent().appending(path: "Expansions/Accepted")

    static let names = fileNames(in: folder, suffix: ".swift").map { String($0.dropLast(6)) }

    @Test("compile without a warning", arguments: names)
    func accepted(name: String) async throws {
        let source = try String(contentsOf: Self.folder.appending(path: name + ".swift"), encoding: .utf8)
        let mark = "// flags: "
        let flags = source.split(separator: "\n").filter { $0.hasPrefix(mark) }
            .flatMap { $0.dropFirst(mark.count).split(separator: " ").map(String.init) }
        #expect(
            try await compilerErrors(in: source, flags: flags + ["-parse-as-library", "-warnings-as-errors"]) == []
        )
    }
}
