public import Foundation
import Synchronization

/// A real program run by a test: started with its own output files, killed when the test ends.
public final class ChildProcess: Sendable {
    /// Everything the program wrote so far, standard output and standard error together.
    public var output: String { (try? String(contentsOf: log, encoding: .utf8)) ?? "" }
    /// The file behind ``output``.
    public let log: URL
    /// The process identifier.
    public var pid: Int32 { process.withLock { $0.processIdentifier } }
    /// Whether it still runs.
    public var isRunning: Bool { process.withLock { $0.isRunning } }

    private let process: Mutex<Process>
    private let kept: (any Sendable)?

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
        _ = FileManager.default.createFile(atPath: log.path, contents: nil)
        let handle = try FileHandle(forWritingTo: log)
        let process = Process()
        process.executableURL = URL(fileURLWithPath: path)
        process.arguments = arguments
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        process.standardOutput = handle
        process.standardError = handle
        let pipe = input.map { _ in Pipe() }
        process.standardInput = pipe ?? FileHandle.nullDevice
        process.terminationHandler = { Reaper.shared.forget($0.processIdentifier) }
        try Self.withoutBlockedSignals { try process.run() }
        Reaper.shared.watch(process.processIdentifier)
        if let pipe, let input {
            try pipe.fileHandleForWriting.write(contentsOf: Data(input.utf8))
            try pipe.fileHandleForWriting.close()
        }
        self.log = log
        kept = keeping
        self.process = Mutex(process)
    }

    deinit {
        process.withLock { if $0.isRunning { kill($0.processIdentifier, SIGKILL) } }
    }

    /// Waits until the output contains `text`; throws with the whole output after `timeout`.
    public func waitForOutput(_ text: String, timeout: Duration = .seconds(20)) async throws {
        try await eventually("“\(text)” in the output of pid \(pid):\n\(output)", timeout: timeout) {
            self.output.contains(text)
        }
    }

    /// Sends a signal.
    public func signal(_ number: Int32) {
        process.withLock { if $0.isRunning { kill($0.processIdentifier, number) } }
    }

    /// Sends a signal and waits for the end.
    ///
    /// After the timeout it is killed.
    ///
    /// - Returns: The exit status, 128 + n for signal n.
    @discardableResult
    public func stop(_ signal: Int32 = SIGTERM, timeout: Duration = .seconds(10)) async -> Int32 {
        self.signal(signal)
        return await exitStatus(timeout: timeout)
    }

    /// Waits for the program's own end.
    ///
    /// After the timeout it is killed.
    ///
    /// - Returns: The exit status, 128 + n for signal n.
    public func exitStatus(timeout: Duration = .seconds(30)) async -> Int32 {
        let deadline = ContinuousClock.now + timeout
        while isRunning {
            if ContinuousClock.now > deadline { signal(SIGKILL) }
            try? await Task.sleep(for: .milliseconds(5))
        }
        return process.withLock { $0.terminationReason == .exit ? $0.terminationStatus : 128 + $0.terminationStatus }
    }

    /// A thread of Dispatch blocks most signals, and a child inherits that: SIGTERM would never reach it.
    private static func withoutBlockedSignals(_ body: () throws -> Void) rethrows {
        var none = sigset_t()
        var before = sigset_t()
        sigemptyset(&none)
        pthread_sigmask(SIG_SETMASK, &none, &before)
        defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
        try body()
    }

    private static func find(_ name: String) throws -> String {
        let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":").map(String.init)
        for folder in folders + ["/usr/sbin", "/usr/bin"] {
            let path = folder + "/" + name
            if FileManager.default.isExecutableFile(atPath: path) { return path }
        }
        throw TestFailure("\(name) is not installed: run 'make test', which installs it")
    }
}
