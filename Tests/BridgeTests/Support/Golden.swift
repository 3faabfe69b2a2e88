import Foundation
import Testing

/// Files that hold what was judged right once; `UPDATE_SNAPSHOTS=1` rewrites them, and the difference is to be judged.
enum Golden {
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "Golden")

    static func expect(_ text: String, _ name: String, sourceLocation: SourceLocation = #_sourceLocation) throws {
        let file = folder.appending(path: name)
        if ProcessInfo.processInfo.environment["UPDATE_SNAPSHOTS"] == "1" {
            return try text.write(to: file, atomically: true, encoding: .utf8)
        }
        let golden = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
        let lines = text.split(separator: "\n")
        for line in lines where !golden.contains(line) {
            Issue.record("\(name) has no line \(line)", sourceLocation: sourceLocation)
        }
        for line in golden where !lines.contains(line) {
            Issue.record("\(name) expects a line \(line)", sourceLocation: sourceLocation)
        }
        #expect(lines.count == golden.count, sourceLocation: sourceLocation)
    }
}
