import Foundation
import TestSupport

/// Another process that holds the write lock until it is told to let go.
final class LockHolder {
    private let process = Process()
    private let input = Pipe()
    private let log: URL

    /// Begins a transaction in a `sqlite3` process.
    init(path: String, log: URL) throws {
        self.log = log
        try Data().write(to: log)
        process.executableURL = URL(fileURLWithPath: "/usr/bin/sqlite3")
        process.arguments = ["-cmd", ".timeout 5000", path]
        process.standardInput = input
        process.standardOutput = try FileHandle(forWritingTo: log)
        process.standardError = FileHandle.nullDevice
        try process.run()
        try input.fileHandleForWriting.write(contentsOf: Data("BEGIN IMMEDIATE;\nSELECT 'held';\n".utf8))
    }

    deinit { if process.isRunning { process.terminate() } }

    var isReady: Bool { (try? String(contentsOf: log, encoding: .utf8))?.contains("held") == true }

    func release() throws {
        try input.fileHandleForWriting.write(contentsOf: Data("COMMIT;\n".utf8))
        try input.fileHandleForWriting.close()
        process.waitUntilExit()
    }
}
