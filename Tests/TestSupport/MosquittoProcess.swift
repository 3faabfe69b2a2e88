import Foundation
import Synchronization

/// A program of mosquitto's package, started with `posix_spawn`.
///
/// Not with Foundation's `Process`: a child of that inherits the signals that Dispatch's threads block, so that SIGTERM
/// never reaches it; and it lists the open descriptors in a way that crashes when another thread opens some meanwhile.
final class MosquittoProcess: Sendable {
    let pid: pid_t
    private let log: URL
    /// The status of `waitpid`, once the program has ended.
    private let ended = Mutex<Int32?>(nil)

    /// Starts `program` from Debian's folders, both outputs going to `log`.
    init(_ program: String, _ arguments: [String], log: URL) throws {
        let path = ["/usr/sbin/", "/usr/bin/", "/usr/local/sbin/"].map { $0 + program }
            .first { access($0, X_OK) == 0 }
        guard let path else { throw TestFailure("\(program) is not installed: run 'make test', which installs it") }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_addopen(&actions, 1, log.path, O_WRONLY | O_CREAT | O_TRUNC | O_APPEND, 0o600)
        posix_spawn_file_actions_adddup2(&actions, 1, 2)
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var signals = sigset_t()
        sigfillset(&signals)
        posix_spawnattr_setsigdefault(&attributes, &signals)
        sigemptyset(&signals)
        posix_spawnattr_setsigmask(&attributes, &signals)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK))
        var values: [UnsafeMutablePointer<CChar>?] = ([path] + arguments).map { strdup($0) } + [nil]
        defer { for value in values { free(value) } }
        var pid: pid_t = 0
        let code = posix_spawn(&pid, path, &actions, &attributes, &values, environ)
        guard code == 0 else { throw TestFailure("\(program): \(String(cString: strerror(code)))") }
        self.pid = pid
        self.log = log
    }

    deinit {
        guard isRunning else { return }
        kill(pid, SIGKILL)
        var status: Int32 = 0
        waitpid(pid, &status, 0)
    }

    var output: String { (try? String(contentsOf: log, encoding: .utf8)) ?? "" }

    var isRunning: Bool {
        ended.withLock { ended in
            guard ended == nil else { return false }
            var status: Int32 = 0
            if waitpid(pid, &status, WNOHANG) == pid { ended = status }
            return ended == nil
        }
    }

    func signal(_ number: Int32) {
        // A pid that was not waited for yet is still this program's.
        ended.withLock { if $0 == nil { kill(pid, number) } }
    }

    /// Waits for the end, with SIGKILL after ten seconds; returns what `waitpid` says.
    @discardableResult
    func end() async -> Int32 {
        let deadline = ContinuousClock.now + .seconds(10)
        while isRunning {
            if ContinuousClock.now > deadline { signal(SIGKILL) }
            try? await Task.sleep(for: .milliseconds(5))
        }
        return ended.withLock { $0 ?? 0 }
    }

    func waitForOutput(_ text: String) async throws {
        try await eventually("“\(text)” in the output of pid \(pid):\n\(output)") {
            let found = self.output.contains(text)
            guard found || self.isRunning else { throw TestFailure("pid \(self.pid) has ended:\n\(self.output)") }
            return found
        }
    }
}
