import Foundation
import Testing

/// Programs that the macros accept or reject, as a user's compiler sees them.
@Suite("Programs with settings")
struct ProgramTests {
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Programs")

    static let accepted = names(in: "Accepted")
    static let rejected = names(in: "Rejected")

    private static func names(in folder: String) -> [String] {
        fileNames(in: Self.folder.appending(path: folder), suffix: ".swift").map { "\(folder)/\($0)" }
    }

    private static func lines(of program: String) throws -> [Substring] {
        try String(contentsOf: folder.appending(path: program), encoding: .utf8)
            .split(separator: "\n", omittingEmptySubsequences: false)
    }

    @Test(arguments: accepted)
    func `The forms that a class of settings can have compile without a warning`(program: String) async throws {
        let lines = try Self.lines(of: program)
        let mark = "// flags: "
        let flags = lines.filter { $0.hasPrefix(mark) }
            .flatMap { $0.dropFirst(mark.count).split(separator: " ").map(String.init) }
        let errors = try await compilerErrors(
            in: lines.joined(separator: "\n"),
            flags: flags + ["-parse-as-library", "-warnings-as-errors"]
        )
        #expect(errors == [])
    }

    @Test(arguments: rejected)
    func `Each mistake has its error, at the line below the comment that has its words`(program: String) async throws {
        let lines = try Self.lines(of: program)
        let expected = lines.enumerated().compactMap { index, line in
            line.firstMatch(of: /\/\/ error: (.*)/).map { "\(index + 2): \($0.1)" }
        }
        let errors = try await compilerErrors(in: lines.joined(separator: "\n"))
        // What the compiler itself says of the rest is the compiler's matter.
        let told = errors.compactMap { error in
            error.firstMatch(of: /^Source\.swift:(\d+):\d+: error: (.*) \(from macro '/).map { "\($0.1): \($0.2)" }
        }
        #expect(told.sorted() == expected.sorted())
    }
}
