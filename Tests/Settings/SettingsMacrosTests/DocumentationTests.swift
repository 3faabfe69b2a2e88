import Foundation
import TestSupport
import Testing

@Suite("The documentation")
struct DocumentationTests {
    private static let folder = projectFolder.appending(path: "Sources/Settings/StoredSettings/StoredSettings.docc")

    static let articles = fileNames(in: folder, suffix: ".md")

    @Test(arguments: articles)
    func `Each documentation article is one program that compiles without a warning`(article: String) async throws {
        let snippets = try Self.snippets(in: Self.folder.appending(path: article))
        try #require(!snippets.isEmpty)
        #expect(try await compilerErrors(in: snippets.joined(), flags: Self.flags) == [])
    }

    @Test func `Every project snippet compiles as it stands or comes from a program in Tests/Packages`() async throws {
        let snippets = try Self.snippets(in: projectFolder.appending(path: "README.md"))
        try #require(!snippets.isEmpty)
        let programs = try Self.programs()
        for snippet in snippets {
            let lines = snippet.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
            if programs.contains(where: { program in lines.allSatisfy(program.contains) }) { continue }
            #expect(try await compilerErrors(in: snippet, flags: Self.flags) == [], "\(snippet)")
        }
    }

    private static func snippets(in file: URL) throws -> [String] {
        try String(contentsOf: file, encoding: .utf8).components(separatedBy: "```swift\n").dropFirst()
            .map { $0.components(separatedBy: "```")[0] }
    }

    private static func programs() throws -> [String] {
        let folder = projectFolder.appending(path: "Tests/Packages")
        let paths = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
        return try paths.filter { $0.hasSuffix(".swift") && $0.contains("/Sources/") && !$0.contains(".build") }
            .map { try String(contentsOf: folder.appending(path: $0), encoding: .utf8) }
    }

    /// SwiftPM tells the compiler where the C modules are that the other products use.
    private static let flags: [String] = {
        let products = URL(filePath: CommandLine.arguments[0]).resolvingSymlinksInPath().deletingLastPathComponent()
        let checkouts = products.deletingLastPathComponent().deletingLastPathComponent().appending(path: "checkouts")
        let own = folders(in: projectFolder.appending(path: "Sources/System"))
        let sources = folders(in: checkouts).flatMap { folders(in: $0.appending(path: "Sources")) }
        let maps = (own + sources + folders(in: products).filter { $0.pathExtension == "build" })
            .flatMap { [$0.appending(path: "module.modulemap"), $0.appending(path: "include/module.modulemap")] }
            .filter { FileManager.default.fileExists(atPath: $0.path) && !isOfSwift($0) && !isLeftOver($0) }
        return ["-warnings-as-errors"] + maps.flatMap { ["-Xcc", "-fmodule-map-file=\($0.path)"] }
    }()

    /// Whether a module map is for Objective-C: that of a Swift module names a generated header.
    private static func isOfSwift(_ map: URL) -> Bool {
        (try? String(contentsOf: map, encoding: .utf8).contains("-Swift.h")) ?? false
    }

    /// Whether a module map is of a target that is no longer there: SwiftPM leaves it in the build folder.
    private static func isLeftOver(_ map: URL) -> Bool {
        let umbrella = (try? String(contentsOf: map, encoding: .utf8))?.firstMatch(
            of: /umbrella (?:header )?"(\/[^"]+)"/
        )
        return umbrella.map { !FileManager.default.fileExists(atPath: String($0.1)) } ?? false
    }

    private static func folders(in folder: URL) -> [URL] {
        fileNames(in: folder, suffix: "").map { folder.appending(path: $0) }
    }
}
