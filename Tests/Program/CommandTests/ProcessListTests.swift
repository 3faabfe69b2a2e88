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
        // This server never answers.
        let (listener, port) = try listenOnLoopback(backlog: 8)
        defer { close(listener) }
        let program = try Program()
        let url = "rtsp://bblp:canary@127.0.0.1:\(port)/streaming/live/1"
        let child = try program.start(["probe", url])
        // Stopped, the program cannot reach its time limit before it is looked at. This thread is blocked until it connects:
        // while a task is suspended, a busy machine may run other tests for long.
        var waiting = pollfd(fd: listener, events: Int16(POLLIN), revents: 0)
        let isAccepted = poll(&waiting, 1, 20_000) == 1
        kill(child.pid, SIGSTOP)
        #expect(isAccepted)
        let shown = try String(contentsOfFile: "/proc/\(child.pid)/cmdline", encoding: .utf8).split(separator: "\0")
        #expect(shown.last == "rtsp://bblp:******@127.0.0.1:\(port)/streaming/live/1")
        let list = try await ChildProcess.run("ps", ["-ww", "-o", "args=", "-p", "\(child.pid)"])
        #expect(list.contains("printer2mqtt probe") && !list.contains("canary"))
        #expect(!child.output.contains("no access code given"))
        await child.stop(SIGKILL)
    }
}
