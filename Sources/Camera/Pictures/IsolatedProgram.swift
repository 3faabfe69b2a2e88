import CIsolation
import Foundation

/// A program that reads a pipe and writes a pipe, and can do little else.
///
/// `CIsolation` takes the rest away before the program begins, as far as the system allows; docs/security.md lists what.
/// On Linux, swift-subprocess 1.0.2 runs nothing in a child before its program, so this starts the child itself.
struct IsolatedProgram: Sendable {
    /// What the program wrote, or why there is nothing.
    ///
    /// It is ``PictureFailure/noDecoder`` if the program is not there or may not be executed, or if this process has no
    /// descriptor or thread left.
    typealias Outcome = Result<[UInt8], PictureFailure>

    private static let folders = [
        "/bin", "/lib", "/lib64", "/usr/bin", "/usr/lib", "/usr/lib64", "/usr/local/bin", "/usr/local/lib",
        "/nix/store",
    ]

    /// A child that ends before it has read its input makes a write fail with EPIPE, and must not end this process.
    ///
    /// libmosquitto ignores SIGPIPE as well.
    private static let ignoresSIGPIPE: Void = { _ = signal(SIGPIPE, SIG_IGN) }()

    let path: String
    /// The most seconds for one run.
    var timeLimit = 10
    /// The most bytes of address space.
    var memoryLimit: UInt64 = 1 << 30

    /// Runs the program to its end; at most `limit` bytes of its output are read.
    ///
    /// Of its input, one part at a time is in memory.
    func run(
        _ arguments: [String],
        input: some Sequence<[UInt8]> & Sendable,
        limit: Int
    ) async -> (outcome: Outcome, gaps: IsolationGaps) {
        _ = Self.ignoresSIGPIPE
        let stop = eventfd(0, Int32(EFD_CLOEXEC))
        guard stop >= 0 else { return (.failure(.noDecoder), []) }
        defer { close(stop) }
        return await withTaskGroup { group in
            // The sleep ends early if the program ends, or if the caller is cancelled.
            group.addTask {
                try? await Task.sleep(for: .seconds(timeLimit))
                _ = eventfd_write(stop, 1)
            }
            defer { group.cancelAll() }
            let ended = try? await onOwnThread { runHere(arguments, input: input, limit: limit, stop: stop) }
            return ended ?? (.failure(.noDecoder), [])
        }
    }

    /// Runs the program until `stop` can be read.
    private func runHere(
        _ arguments: [String],
        input: some Sequence<[UInt8]>,
        limit: Int,
        stop: Int32
    ) -> (Outcome, IsolationGaps) {
        var child = start(arguments)
        guard child.process > 0 else { return (.failure(.noDecoder), []) }
        defer { for end in [child.input, child.output] where end >= 0 { close(end) } }
        var outcome = exchange(input, with: &child, limit: limit, stop: stop)
        var status: Int32 = 0
        // A child may close its output, and go on.
        while case .success = outcome, waitpid(child.process, &status, WNOHANG) == 0 {
            var stopped = pollfd(fd: stop, events: Int16(POLLIN), revents: 0)
            if poll(&stopped, 1, 1) > 0 { outcome = .failure(.timedOut) }
        }
        let gaps = IsolationGaps(rawValue: child.lacks)
        if case .success = outcome {
            // The low seven bits are a signal; the dynamic linker exits with 127.
            let isCrash = status & 0x7f != 0 || status >> 8 & 0xff == 127
            return (status == 0 ? outcome : .failure(isCrash ? .crashed : .undecodable), gaps)
        }
        kill(child.process, SIGKILL)
        while waitpid(child.process, &status, 0) < 0, errno == EINTR {}
        return (outcome, gaps)
    }

    private func start(_ arguments: [String]) -> isolated_child {
        let program = URL(filePath: path).resolvingSymlinksInPath()
        let libraries = program.deletingLastPathComponent().deletingLastPathComponent().appending(path: "lib")
        let readable = (Self.folders + ["/etc/ld.so.cache", program.path, libraries.path]).map { strdup($0) }
        let arguments = ([path] + arguments).map { strdup($0) }
        defer { for text in readable + arguments { free(text) } }
        return isolation_start(arguments + [nil], readable + [nil], memoryLimit, UInt64(timeLimit))
    }

    private func exchange(
        _ input: some Sequence<[UInt8]>,
        with child: inout isolated_child,
        limit: Int,
        stop: Int32
    ) -> Outcome {
        var parts = input.makeIterator()
        var rest = (parts.next() ?? [])[...]
        var output: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            while rest.isEmpty, child.input >= 0 {
                guard let part = parts.next() else {
                    close(child.input)
                    child.input = -1  // 'poll' passes over it.
                    break
                }
                rest = part[...]
            }
            var ready = [(stop, POLLIN), (child.output, POLLIN), (child.input, POLLOUT)]
                .map { pollfd(fd: $0, events: Int16($1), revents: 0) }
            guard poll(&ready, nfds_t(ready.count), -1) > 0 else { continue }
            if ready[0].revents != 0 { return .failure(.timedOut) }
            if ready[1].revents != 0 {
                let count = read(child.output, &buffer, buffer.count)
                guard count > 0 else { return .success(output) }
                output += buffer.prefix(count)
                guard output.count <= limit else { return .failure(.tooLarge) }
            }
            if ready[2].revents != 0 {
                let count = rest.withUnsafeBytes { write(child.input, $0.baseAddress, $0.count) }
                if count < 0, errno != EAGAIN {
                    // A child that ends early leaves input unread.
                    close(child.input)
                    (child.input, rest) = (-1, [])
                } else {
                    rest = rest.dropFirst(max(count, 0))
                }
            }
        }
    }
}

/// What an ``IsolatedProgram`` could do beyond its work, because the system could not take it away.
package struct IsolationGaps: OptionSet, Sendable {
    package let rawValue: Int32

    package init(rawValue: Int32) { self.rawValue = rawValue }

    /// It could read and delete files: the system has no Landlock.
    package static let files = IsolationGaps(rawValue: Int32(ISOLATION_LACKS_LANDLOCK))
    /// It could connect, fork, and reach other processes: the system has no seccomp.
    package static let connections = IsolationGaps(rawValue: Int32(ISOLATION_LACKS_SECCOMP))
}
