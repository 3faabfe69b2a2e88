import Foundation
import TestSupport
import Testing

@Suite("The documentation")
struct DocumentationTests {
    private static let folder = projectFolder.appending(path: "Sources/Settings/StoredSettings/StoredSettings.docc")

    static let articles = fileNames(in: folder, suffix: ".md")

    @Test("has only snippets that compile without a warning, each article being one program", arguments: articles)
    func snippets(article: String) async throws {
        let text = try String(contentsOf: Self.folder.appending(path: article), encoding: .utf8)
        let snippets = text.components(separatedBy: "```swift\n").dropFirst().map {
            $0.components(separatedBy: "```")[0]
        }
        try #require(!snippets.isEmpty)
        #expect(try await compilerErrors(in: snippets.joined(), flags: ["-warnings-as-errors"]) == [])
    }
}
