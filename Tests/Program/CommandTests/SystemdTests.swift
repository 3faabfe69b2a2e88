import Bridge
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import printer2mqtt

/// What a service manager hears.
private final class Manager: Sendable {
    let path: String
    private let directory: TemporaryDirectory
    private let descriptor: Int32
    private let heard = Mutex<[String]>([])

    init() throws {
        directory = try TemporaryDirectory()
        path = directory.file("notify").path
        descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        let size = socklen_t(MemoryLayout<sockaddr_un>.size)
        let code = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(descriptor, $0, size) }
        }
        guard code == 0 else { throw TestFailure("bind: \(String(cString: strerror(errno)))") }
    }

    deinit { close(descriptor) }

    /// All messages up to now.
    var messages: [String] {
        heard.withLock { heard in
            var buffer = [UInt8](repeating: 0, count: 4_096)
            while case let count = recv(descriptor, &buffer, buffer.count, 0), count > 0 {
                heard.append(String(decoding: buffer.prefix(count), as: UTF8.self))
            }
            return heard
        }
    }

    /// Starts a bridge, and waits until it is ready.
    func start(_ program: Program, watchdog: Int? = nil) async throws -> ChildProcess {
        var environment = ["NOTIFY_SOCKET": path]
        environment["WATCHDOG_USEC"] = watchdog.map { "\($0 * 1_000)" }
        let bridge = try program.start(environment: environment)
        try await eventually("the bridge is ready") { messages.contains("READY=1") }
        return bridge
    }
}

@Suite("A service of systemd", .endsAll, .timeLimit(.minutes(5)))
struct SystemdTests {
    @Test func `The service is ready when its topics are published, and says when it stops`() async throws {
        let broker = try await MosquittoBroker.start()
        let (program, manager) = (try Program(broker: broker.port), try Manager())
        let bridge = try await manager.start(program)
        try await program.check(["health"])
        let state = "STATUS=Connected to mqtt://127.0.0.1:\(broker.port)."
        try await eventually("the bridge tells its state") { manager.messages.contains(state) }
        #expect(!manager.messages.contains("WATCHDOG=1"))
        #expect(await bridge.stop() == 0)
        #expect(manager.messages.last == "STOPPING=1")
        #expect(manager.messages.count { $0 == "READY=1" } == 1)
    }

    @Test func `The service does not say that it stops when it restarts itself: it would be killed`() async throws {
        let broker = try await MosquittoBroker.start()
        let manager = try Manager()
        let bridge = try await manager.start(Program(broker: broker.port))
        try await broker.request("restart", "{}")
        try await eventually("the bridge is ready again") { manager.messages.count { $0 == "READY=1" } == 2 }
        #expect(!manager.messages.contains("STOPPING=1"))
        #expect(await bridge.stop() == 0)
        #expect(manager.messages.last == "STOPPING=1")
    }

    @Test func `The service is ready without a broker, and says so`() async throws {
        let port = try freePort()
        let manager = try Manager()
        let bridge = try await manager.start(Program(broker: port))
        try await eventually("the bridge tells its state") {
            manager.messages.contains(
                """
                STATUS=mqtt://127.0.0.1:\(port): The broker cannot be reached (Connection refused). Check the address and the \
                port in mqtt.url, and that the broker runs. Retrying.
                """
            )
        }
        #expect(await bridge.stop() == 0)
    }

    @Test func `The service gives signs of life as often as the watchdog wants them`() async throws {
        let broker = try await MosquittoBroker.start()
        let manager = try Manager()
        let bridge = try await manager.start(Program(broker: broker.port), watchdog: 300)
        try await eventually("signs of life") { manager.messages.count { $0 == "WATCHDOG=1" } > 5 }
        await broker.kill()
        let before = manager.messages.count { $0 == "WATCHDOG=1" }
        try await eventually("signs of life without broker") {
            manager.messages.count { $0 == "WATCHDOG=1" } > before + 5
        }
        #expect(await bridge.stop() == 0)
    }

    @Test(arguments: ["", "relative/path", "vsock:2:1234", "/" + String(repeating: "a", count: 200)])
    func `The service is nothing where no manager listens`(path: String) {
        #expect(Systemd(environment: ["NOTIFY_SOCKET": path]) == nil)
        #expect(Systemd(environment: [:]) == nil)
    }

    @Test func `A watchdog of another process is none of ours`() throws {
        let own = ["NOTIFY_SOCKET": "/x", "WATCHDOG_USEC": "3000000", "WATCHDOG_PID": "\(getpid())"]
        #expect(try #require(Systemd(environment: own)).supervision.interval == .seconds(1))
        let other = own.merging(["WATCHDOG_PID": "1"]) { $1 }
        #expect(try #require(Systemd(environment: other)).supervision.interval == nil)
    }
}
