package import Foundation

/// A directory that lasts as long as the test that holds it.
package final class TemporaryDirectory: Sendable {
    package let url: URL

    package init() throws {
        url = FileManager.default.temporaryDirectory.appendingPathComponent("printer2mqtt-test-\(UUID().uuidString)")
        try FileManager.default.createDirectory(
            at: url,
            withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700]
        )
    }

    deinit { try? FileManager.default.removeItem(at: url) }

    package func file(_ name: String) -> URL { url.appendingPathComponent(name) }

    /// Writes a file that only its owner may read.
    package func write(_ text: String, to name: String) throws {
        try text.write(to: file(name), atomically: true, encoding: .utf8)
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file(name).path)
    }

    /// A program in it, made of a script.
    ///
    /// Another process writes it: a child that this one starts meanwhile would have the file open for writing as well, and what
    /// is open for writing does not start ("text file busy").
    package func program(_ name: String, _ script: String) async throws -> URL {
        let program = file(name)
        let text = file("\(program.lastPathComponent).script")
        try script.write(to: text, atomically: true, encoding: .utf8)
        try await ChildProcess.run("install", ["-D", "-m", "755", text.path, program.path])
        return program
    }
}
