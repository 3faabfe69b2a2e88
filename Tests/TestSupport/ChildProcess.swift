public import Foundation
import Synchronization

/// A real program run by a test: started with its own output file, killed when the test ends.
public final class ChildProcess: Sendable {
    /// The process identifier.
    public let pid: Int32
    /// The file behind ``output``.
    public let log: URL

    private let kept: (any Sendable)?
    /// The status of `waitpid`, once the program has ended.
    private let ended = Mutex<Int32?>(nil)

    /// Starts `program` (an absolute path, or a name that is looked up in `PATH` and `/usr/sbin`).
    ///
    /// - Parameters:
    ///   - program: What to start.
    ///   - arguments: Its arguments.
    ///   - environment: Variables on top of those of the tests.
    ///   - log: Where its output goes.
    ///   - input: Its standard input; nil for none.
    ///   - keeping: What has to outlive it, such as its directory.
    /// - Throws: When it is not installed, or cannot be started.
    public init(
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
    public var output: String { (try? String(contentsOf: log, encoding: .utf8)) ?? "" }

    /// Whether it still runs.
    public var isRunning: Bool {
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
    public func waitForOutput(_ text: String, timeout: Duration = .seconds(20)) async throws {
        try await eventually("“\(text)” in the output of pid \(pid):\n\(output)", timeout: timeout) {
            let isOver = !self.isRunning
            if self.output.contains(text) { return true }
            if isOver { throw TestFailure("pid \(self.pid) has ended:\n\(self.output)") }
            return false
        }
    }

    /// Sends a signal.
    public func signal(_ number: Int32) {
        // A pid that was not waited for yet is still this program's.
        ended.withLock { if $0 == nil { kill(pid, number) } }
    }

    /// Sends a signal and waits for the end.
    ///
    /// After the timeout it is killed.
    ///
    /// - Returns: The exit status, 128 + n for signal n.
    @discardableResult
    public func stop(_ signal: Int32 = SIGTERM, timeout: Duration = .seconds(30)) async -> Int32 {
        self.signal(signal)
        return await exitStatus(timeout: timeout)
    }

    /// Waits for the program's own end.
    ///
    /// After the timeout it is killed.
    ///
    /// - Returns: The exit status, 128 + n for signal n.
    @discardableResult
    public func exitStatus(timeout: Duration = .seconds(120)) async -> Int32 {
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
    public static func run(_ program: String, _ arguments: [String], input: String? = nil) async throws -> String {
        let directory = try TemporaryDirectory()
        let child = try ChildProcess(program, arguments, log: directory.file("log"), input: input)
        guard await child.exitStatus() == 0 else { throw TestFailure("\(program) \(arguments): \(child.output)") }
        return child.output
    }

    /// Whether there is a program of that name.
    public static func isInstalled(_ name: String) -> Bool { (try? find(name)) != nil }

    private static func find(_ name: String) throws -> String {
        let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":").map(String.init)
        for folder in folders + ["/usr/sbin", "/usr/bin"] {
            let path = folder + "/" + name
            if FileManager.default.isExecutableFile(atPath: path) { return path }
        }
        throw TestFailure("\(name) is not installed: run 'make test', which installs it")
    }
}
