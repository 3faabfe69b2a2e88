package import Foundation
import Synchronization

/// A real program run by a test: started with its own output file, killed when the test ends.
package final class ChildProcess: Sendable {
    package let pid: Int32
    /// The file behind ``output``.
    package let log: URL

    private let kept: (any Sendable)?
    /// The status of `waitpid`, once the program has ended.
    private let ended = Mutex<Int32?>(nil)

    /// Starts `program` (an absolute path, or a name that is looked up in `PATH` and `/usr/sbin`).
    ///
    /// `environment` comes on top of that of the tests. `keeping` is what has to outlive the program, such as its directory.
    package init(
        _ program: String,
        _ arguments: [String] = [],
        environment: [String: String] = [:],
        log: URL,
        input: String? = nil,
        keeping: (any Sendable)? = nil
    ) throws {
        let path = program.hasPrefix("/") ? program : try Self.find(program)
        try Data().write(to: log)
        let source: FileHandle
        if let input {
            let file = log.appendingPathExtension("input")
            try Data(input.utf8).write(to: file)
            source = try FileHandle(forReadingFrom: file)
            try FileManager.default.removeItem(at: file)
        } else {
            source = FileHandle.nullDevice
        }
        pid = try spawn(
            path,
            arguments,
            environment: ProcessInfo.processInfo.environment.merging(environment) { $1 },
            input: source.fileDescriptor,
            output: log.path
        )
        Reaper.shared.watch(pid)
        self.log = log
        kept = keeping
    }

    deinit {
        guard isRunning else { return }
        kill(pid, SIGKILL)
        var status: Int32 = 0
        waitpid(pid, &status, 0)
        Reaper.shared.forget(pid)
    }

    /// Everything the program wrote so far, standard output and standard error together.
    package var output: String { (try? String(contentsOf: log, encoding: .utf8)) ?? "" }

    package var isRunning: Bool {
        ended.withLock { ended in
            guard ended == nil else { return false }
            var status: Int32 = 0
            if waitpid(pid, &status, WNOHANG) == pid {
                ended = status
                Reaper.shared.forget(pid)
            }
            return ended == nil
        }
    }

    /// Waits until the output contains `text`; throws with the whole output after the timeout, or when it has ended.
    package func waitForOutput(_ text: String, timeout: Duration = .seconds(20)) async throws {
        try await eventually("“\(text)” in the output of pid \(pid):\n\(output)", timeout: timeout) {
            let isOver = !self.isRunning
            if self.output.contains(text) { return true }
            if isOver { throw TestFailure("pid \(self.pid) has ended:\n\(self.output)") }
            return false
        }
    }

    package func signal(_ number: Int32) {
        // A pid that was not waited for yet is still this program's.
        ended.withLock { if $0 == nil { kill(pid, number) } }
    }

    /// Sends a signal, and waits for the end as ``exitStatus(timeout:)`` does.
    @discardableResult
    package func stop(_ signal: Int32 = SIGTERM, timeout: Duration = .seconds(30)) async -> Int32 {
        self.signal(signal)
        return await exitStatus(timeout: timeout)
    }

    /// Waits for the program's end, and kills it after the timeout; 128 + n is the status for signal n.
    @discardableResult
    package func exitStatus(timeout: Duration = .seconds(120)) async -> Int32 {
        let deadline = ContinuousClock.now + timeout
        while isRunning {
            if ContinuousClock.now > deadline { signal(SIGKILL) }
            try? await Task.sleep(for: .milliseconds(5))
        }
        let status = ended.withLock { $0 ?? 0 }
        return status & 0x7F == 0 ? (status >> 8) & 0xFF : 128 + (status & 0x7F)
    }

    /// Runs a program to its end, which has to be a good one, and returns its output.
    @discardableResult
    package static func run(_ program: String, _ arguments: [String], input: String? = nil) async throws -> String {
        let directory = try TemporaryDirectory()
        let child = try ChildProcess(program, arguments, log: directory.file("log"), input: input)
        guard await child.exitStatus() == 0 else { throw TestFailure("\(program) \(arguments): \(child.output)") }
        return child.output
    }

    package static func isInstalled(_ name: String) -> Bool { (try? find(name)) != nil }

    private static func find(_ name: String) throws -> String {
        let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":").map(String.init)
        for folder in folders + ["/usr/sbin", "/usr/bin"] {
            let path = folder + "/" + name
            if FileManager.default.isExecutableFile(atPath: path) { return path }
        }
        throw TestFailure("\(name) is not installed: run 'make test', which installs it")
    }
}
