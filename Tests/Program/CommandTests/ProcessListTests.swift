import Foundation
import TestSupport
import Testing

@testable import printer2mqtt

@Suite("Passwords among the arguments", .endsAll)
struct ProcessListTests {
    @Test(arguments: [
        ("probe|rtsps://bblp:canary@h/a", "probe|rtsps://bblp:******@h/a"),
        ("a|rtsps://:canary@h|b", "a|rtsps://:******@h|b"),
        ("rtsps://u:can:ary@h", "rtsps://u:*******@h"),
        ("rtsps://u:can@ary@h", "rtsps://u:*******@h"),
        ("rtsps://u:@h", "rtsps://u:@h"),
        ("rtsps://u@h:322/a", "rtsps://u@h:322/a"),
        ("rtsps://h:322/a", "rtsps://h:322/a"),
        ("me:you@home|://|@://", "me:you@home|://|@://"),
        ("", ""), ("|", "|"),
    ])
    func `Passwords among the arguments are found`(arguments: String, shown: String) {
        var bytes = Array(arguments.replacing("|", with: "\0").utf8)
        for position in CommandLineSecrets.passwords(in: bytes) { bytes[position] = UInt8(ascii: "*") }
        #expect(String(decoding: bytes, as: UTF8.self).replacing("\0", with: "|") == shown)
    }

    @Test(.timeLimit(.minutes(5)))
    func `Nobody finds them in the process list, and the probe has them`() async throws {
        let server = try SilentListener()
        let program = try Program()
        let url = "rtsp://bblp:canary@127.0.0.1:\(server.port)/streaming/live/1"
        let child = try program.start(["probe", url])
        // The server never answers. Stopped, the program cannot reach its time limit before it is looked at.
        let isAccepted = server.accept()
        kill(child.pid, SIGSTOP)
        #expect(isAccepted)
        let shown = try String(contentsOfFile: "/proc/\(child.pid)/cmdline", encoding: .utf8).split(separator: "\0")
        #expect(shown.last == "rtsp://bblp:******@127.0.0.1:\(server.port)/streaming/live/1")
        let list = try await ChildProcess.run("ps", ["-ww", "-o", "args=", "-p", "\(child.pid)"])
        #expect(list.contains("printer2mqtt probe") && !list.contains("canary"))
        #expect(!child.output.contains("no access code given"))
        await child.stop(SIGKILL)
    }
}

/// A port on which everybody is taken in, and nothing is ever said.
private struct SilentListener: ~Copyable {
    let port: Int
    private let descriptor: Int32

    init() throws { (descriptor, port) = try listenOnLoopback(backlog: 8) }

    deinit { close(descriptor) }

    /// Blocks this thread until a client has connected: while a task is suspended, a busy machine may run other tests for long.
    func accept() -> Bool {
        var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        return poll(&waiting, 1, 20_000) == 1
    }
}
