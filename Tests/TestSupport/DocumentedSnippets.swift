package import Foundation

/// The snippets of a catalog's articles that do not stand, word for word, in a file that is compiled.
package func uncompiledSnippets(in catalog: URL, compiled file: URL) throws -> [String] {
    let compiled = unindented(try String(contentsOf: file, encoding: .utf8))
    return try FileManager.default.contentsOfDirectory(atPath: catalog.path).sorted().flatMap { article in
        let text = try String(contentsOf: catalog.appending(path: article), encoding: .utf8)
        let snippets = text.components(separatedBy: "```swift\n").dropFirst()
            .map { $0.components(separatedBy: "```")[0] }
        guard !snippets.isEmpty else { return ["\(article) has no snippet"] }
        return snippets.filter { !compiled.contains(unindented($0)) }.map { "\(article):\n\($0)" }
    }
}

/// Without what depends on where it stands.
private func unindented(_ code: String) -> String {
    code.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }.joined(separator: "\n")
}
