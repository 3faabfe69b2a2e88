import Foundation

/// Files that hold what was judged right once; `UPDATE_SNAPSHOTS=1` rewrites them, and the difference is to be judged.
package enum Golden {
    /// Compares a text with `Golden/<name>` of the test target; a sentence for each line that differs.
    package static func differences(of text: String, from name: String, _ source: String = #filePath) throws -> [String]
    {
        let file = URL(filePath: source).deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "Golden/\(name)")
        if ProcessInfo.processInfo.environment["UPDATE_SNAPSHOTS"] == "1" {
            try text.write(to: file, atomically: true, encoding: .utf8)
        }
        let golden = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
        let lines = text.split(separator: "\n")
        let differences =
            lines.filter { !golden.contains($0) }.map { "\(name) has no line \($0)" }
            + golden.filter { !lines.contains($0) }.map { "\(name) expects a line \($0)" }
        return differences.isEmpty && lines.count != golden.count ? ["\(name) has \(golden.count) lines"] : differences
    }
}
