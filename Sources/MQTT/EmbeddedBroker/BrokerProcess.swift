import Foundation
import Synchronization

/// The broker's program, run under a shell that ends it when this process is gone, however it went.
///
/// The shell reads from a socket of which only we have the other end. When we close it, or die, it sees the end and sends the
/// broker SIGTERM, so that the broker stores what it has to. Both are in a process group of their own: a Ctrl-C in the
/// terminal is for us first.
final class BrokerProcess: Sendable {
    /// `$1` program, `$2` its configuration, `$3` where to write the two process identifiers.
    private static let script = """
        exec 3<&0 0</dev/null
        "$1" -c "$2" 3<&- &
        broker=$!
        echo "$$ $broker" >"$3"
        { read -r line <&3; kill -TERM "$broker"; } 2>/dev/null &
        watcher=$!
        exec 3<&-
        wait "$broker"
        status=$?
        kill "$watcher" 2>/dev/null
        rm -f "$3"
        exit "$status"
        """

    private struct State {
        var input: FileHandle?
        var status: Int32?
        var waiters: [UInt64: CheckedContinuation<Int32?, Never>] = [:]
        var lastWaiter: UInt64 = 0
        var partialLine: [UInt8] = []
    }

    private let group: pid_t
    private let state: Mutex<State>

    /// Starts the program; each line that it logs goes to `log`.
    init(
        program: String,
        configuration: URL,
        identifiers: URL,
        log: @escaping @Sendable (String) -> Void
    ) throws(MQTTError) {
        let (input, output) = (try Channel(), try Channel())
        let arguments = ["sh", "-c", Self.script, "printer2mqtt-broker", program, configuration.path, identifiers.path]
        let (pid, code) = Self.spawn(
            "/bin/sh",
            arguments,
            input: input.theirs,
            output: output.theirs
        )
        close(input.theirs)
        close(output.theirs)
        guard code == 0 else {
            let problem = String(cString: strerror(code))
            throw MQTTError(.brokerUnavailable, "The private broker cannot be started: \(problem).")
        }
        group = pid
        state = Mutex(State(input: input.ours))
        follow(output.ours, log)
    }

    deinit { end() }

    /// Whether shell and broker are gone.
    var hasEnded: Bool { state.withLock { $0.status != nil } }

    /// Waits until shell and broker are gone; returns the exit status, 128 + n for signal n, nil when cancelled.
    func exitStatus() async -> Int32? {
        let id = state.withLock { state in
            state.lastWaiter += 1
            return state.lastWaiter
        }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { waiter in
                let ready = state.withLock { state -> Int32?? in
                    if let status = state.status { return status }
                    if Task.isCancelled { return .some(nil) }
                    state.waiters[id] = waiter
                    return nil
                }
                if let ready { waiter.resume(returning: ready) }
            }
        } onCancel: {
            state.withLock { $0.waiters.removeValue(forKey: id) }?.resume(returning: nil)
        }
    }

    /// Asks the broker to end: it stores its state first.
    func end() {
        let input = state.withLock { state in
            defer { state.input = nil }
            return state.input
        }
        try? input?.close()
    }

    /// Ends shell and broker at once.
    func kill() {
        // Under the lock: once the shell is waited for, another process may have its number.
        state.withLock { if $0.status == nil { _ = Glibc.kill(-group, SIGKILL) } }
    }

    /// Reads the log until its last writer has ended, then collects the exit status.
    ///
    /// On a thread that waits: a source of Dispatch may crash when the other side hangs up (see ``EpollLoop``).
    private func follow(_ output: FileHandle, _ log: @escaping @Sendable (String) -> Void) {
        let group = group
        let thread = Thread { [weak self] in
            // Not by FileHandle, which waits for all the bytes that it was asked for.
            var buffer = [UInt8](repeating: 0, count: 4_096)
            while true {
                let count = read(output.fileDescriptor, &buffer, buffer.count)
                if count < 0, errno == EINTR { continue }
                guard count > 0 else { break }
                for line in self?.lines(buffer[..<count]) ?? [] { log(line) }
            }
            try? output.close()
            if let self {
                let (waiters, status) = state.withLock { state in
                    let status = Self.collect(group)
                    state.status = status
                    defer { state.waiters = [:] }
                    return (state.waiters.values, status)
                }
                for waiter in waiters { waiter.resume(returning: status) }
            } else {
                _ = Self.collect(group)
            }
        }
        thread.name = "mqtt.broker"
        thread.start()
    }

    private static func collect(_ pid: pid_t) -> Int32 {
        var status: Int32 = 0
        while waitpid(pid, &status, 0) < 0, errno == EINTR {}
        return status & 0x7f == 0 ? (status >> 8) & 0xff : 128 + status & 0x7f
    }

    private func lines(_ bytes: ArraySlice<UInt8>) -> [String] {
        state.withLock { state in
            state.partialLine += bytes
            let parts = state.partialLine.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
            state.partialLine = Array(parts.last ?? []).suffix(4_096)
            return parts.dropLast().filter { !$0.isEmpty }.map { String(decoding: $0, as: UTF8.self) }
        }
    }

    private static func spawn(
        _ path: String,
        _ arguments: [String],
        input: Int32,
        output: Int32
    ) -> (pid: pid_t, code: Int32) {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, input, 0)
        posix_spawn_file_actions_adddup2(&actions, output, 1)
        posix_spawn_file_actions_adddup2(&actions, output, 2)
        // Not every library marks its descriptors close-on-exec: libmosquitto does not.
        for name in (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? [] {
            if let descriptor = Int32(name), descriptor > 2 {
                posix_spawn_file_actions_addclose(&actions, descriptor)
            }
        }
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var signals = sigset_t()
        sigfillset(&signals)
        posix_spawnattr_setsigdefault(&attributes, &signals)
        sigemptyset(&signals)
        posix_spawnattr_setsigmask(&attributes, &signals)
        posix_spawnattr_setpgroup(&attributes, 0)
        let flags = POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK
        posix_spawnattr_setflags(&attributes, Int16(truncatingIfNeeded: Int(flags)))
        var values: [UnsafeMutablePointer<CChar>?] = arguments.map { strdup($0) } + [nil]
        var environment: [UnsafeMutablePointer<CChar>?] = [strdup("PATH=/usr/sbin:/usr/bin:/sbin:/bin"), nil]
        defer { for value in values + environment { free(value) } }
        var pid: pid_t = 0
        let code = posix_spawn(&pid, path, &actions, &attributes, &values, &environment)
        return (pid, code)
    }
}

/// A connection to a child.
///
/// A pair of sockets, because they can be made close-on-exec in one step from Swift and pipes cannot: a child that
/// another thread starts at the same moment must not get our end, or its own life would prolong the broker's.
private struct Channel {
    let ours: FileHandle
    let theirs: Int32

    init() throws(MQTTError) {
        var pair: [Int32] = [-1, -1]
        guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0, &pair) == 0 else {
            throw MQTTError(.brokerUnavailable, "There is no file descriptor left to start the private broker.")
        }
        ours = FileHandle(fileDescriptor: pair[0], closeOnDealloc: true)
        theirs = pair[1]
    }
}
