import Foundation
import PrinterSamples
import TestSupport
import Testing

@testable import printer2mqtt

@Suite("The private broker", .timeLimit(.minutes(5)))
struct PrivateBrokerTests {
    private let directory: TemporaryDirectory
    private let state: StateDirectory
    private let broker: PrivateBroker

    init() throws {
        directory = try TemporaryDirectory()
        (state, broker) = try Self.broker(in: directory.file("state"))
    }

    private static func broker(in folder: URL) throws -> (StateDirectory, PrivateBroker) {
        let state = StateDirectory(configured: folder.path)
        try state.create()
        return (state, PrivateBroker(state: state, logger: .quiet))
    }

    private var folder: URL { URL(fileURLWithPath: state.brokerFolder) }

    /// Runs `mosquitto_pub` or `mosquitto_sub` to its end.
    private func client(
        _ program: String,
        _ arguments: [String],
        at address: BrokerURL,
        input: String? = nil,
        as user: [String] = []
    ) async throws -> (status: Int32, output: String) {
        guard case .unix(let path) = address else { throw TestFailure("\(address) is no socket") }
        let words = user + [program, "--unix", path] + arguments
        let log = directory.file("log-\(UUID().uuidString)")
        let child = try ChildProcess(words[0], Array(words.dropFirst()), log: log, input: input)
        return (await child.exitStatus(), child.output)
    }

    /// Publishes, which must succeed.
    private func publish(_ arguments: String..., at address: BrokerURL, input: String? = nil) async throws {
        let (status, output) = try await client("mosquitto_pub", arguments, at: address, input: input)
        #expect(status == 0, "\(output)")
    }

    /// What `mosquitto_sub` prints.
    private func read(_ arguments: String..., at address: BrokerURL) async throws -> String {
        try await client("mosquitto_sub", arguments + ["-W", "30"], at: address).output
    }

    /// The process identifier of its `mosquitto`.
    private func mosquitto() throws -> Int32 { try #require(processes(in: folder).first { $1 == "mosquitto" }?.key) }

    /// The failure of a broker that does not start.
    private func failure(_ broker: PrivateBroker) async throws -> CommandFailure {
        try #require(
            await #expect(throws: CommandFailure.self) {
                try await broker.whileRunning { _ in Issue.record("It started.") }
            }
        )
    }

    @Test(.enabled(if: SmallFileSystem.isPossible, "only root may mount a file system"))
    func `On a full disk it ends with a code after which systemd starts it again`() async throws {
        let disk = try SmallFileSystem(kilobytes: 16)
        let (_, broker) = try Self.broker(in: URL(filePath: disk.path))
        try disk.fill(disk.path + "/ballast")
        #expect(try await failure(broker).code == .unavailable)
    }

    @Test func `It listens on no port`() async throws {
        try await broker.whileRunning { _ in
            let descriptors = "/proc/\(try mosquitto())/fd"
            let sockets = try FileManager.default.contentsOfDirectory(atPath: descriptors).compactMap {
                try? FileManager.default.destinationOfSymbolicLink(atPath: "\(descriptors)/\($0)")
            }
            #expect(!sockets.isEmpty)
            for table in ["/proc/net/tcp", "/proc/net/tcp6"] {
                for line in try String(contentsOfFile: table, encoding: .utf8).split(separator: "\n") {
                    // proc_net_tcp(5): the fourth field is the state, 0A for LISTEN, and the tenth is the inode.
                    let fields = line.split(separator: " ")
                    #expect(fields[3] != "0A" || !sockets.contains("socket:[\(fields[9])]"), "\(line)")
                }
            }
        }
    }

    @Test(.enabled(if: geteuid() == 0, "needs root, to become another account"))
    func `Another account reads and changes nothing, whoever may enter the folders around it`() async throws {
        // As an older version, or a careless hand, may have left them.
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        for path in [directory.url.path, state.path, folder.path] { #expect(chmod(path, 0o777) == 0) }
        // mosquitto makes a socket that its group may use: only the folder stops another account of that group.
        let nobody = ["setpriv", "--reuid", "65534", "--regid", "\(getegid())", "--clear-groups"]
        try await broker.whileRunning { address in
            try await publish("-t", "secret", "-m", "canary", "-r", at: address)
            for (program, end) in [
                ("mosquitto_pub", ["-m", "changed", "-r"]), ("mosquitto_sub", ["-C", "1", "-W", "30"]),
            ] {
                let (status, output) = try await client(program, ["-t", "secret"] + end, at: address, as: nobody)
                #expect(status != 0 && output.contains("denied") && !output.contains("canary"), "\(output)")
            }
            let kept = try await read("-t", "secret", "-C", "1", at: address)
            #expect(kept == "canary\n")
        }
    }

    @Test func `It drops nothing that it has acknowledged, however long a reader takes`() async throws {
        let lines = (1...3_000).map { "\($0)\n" }.joined()
        let received = try await broker.whileRunning { address in
            _ = try await read("-t", "a", "-q", "1", "-i", "reader", "-c", "-E", at: address)
            try await publish("-t", "a", "-q", "1", "-l", at: address, input: lines)
            return try await read("-t", "a", "-q", "1", "-i", "reader", "-c", "-C", "3000", at: address)
        }
        #expect(received == lines)
    }

    @Test func `It is started again when it dies`() async throws {
        try await broker.whileRunning { address in
            for _ in 0..<2 {
                kill(try mosquitto(), SIGKILL)
                try await eventually("it takes messages again") {
                    try await client("mosquitto_pub", ["-t", "a", "-m", "x"], at: address).status == 0
                }
            }
        }
        // Of each run, also the shell that would have ended it.
        try await eventually("no process is left") { processes(in: folder).isEmpty }
    }

    @Test func `It starts anew beside a state that is damaged`() async throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try Data(count: 300).write(to: folder.appending(path: "mosquitto.db"))
        try await broker.whileRunning { try await publish("-t", "a", "-m", "x", at: $0) }
        #expect(try Data(contentsOf: folder.appending(path: "mosquitto.db.damaged")) == Data(count: 300))
    }

    @Test func `It ends also when the work fails, which is what is reported`() async throws {
        struct Failure: Error {}
        await #expect(throws: Failure.self) { try await broker.whileRunning { _ in throw Failure() } }
        try await eventually("no process is left") { processes(in: folder).isEmpty }
    }

    @Test func `A broker of an earlier run is waited for, and not for ever`() async throws {
        try await broker.whileRunning { _ in
            var next = broker
            next.lockTimeout = 0
            let refusal = try await failure(next).description
            #expect(refusal.contains("another mosquitto uses \(state.brokerFolder)"), "\(refusal)")
            next.lockTimeout = 60
            let earlier = try mosquitto()
            async let started = next.whileRunning { _ in try mosquitto() }
            try await eventually("the next one waits") { processes(in: folder).values.contains("flock") }
            kill(earlier, SIGKILL)
            #expect(try await started != earlier)
        }
    }

    @Test func `A folder whose name is too long for a socket is refused, with what to change`() async throws {
        let (_, broker) = try Self.broker(in: directory.file(String(repeating: "a", count: 100)))
        let failure = try await failure(broker)
        #expect(failure.code == .configuration && failure.description.contains("store.path"), "\(failure)")
    }

    @Test(arguments: [
        (nil, "apt install mosquitto"), ("exit 1", "ended at once (exit status 1)"),
        // What mosquitto 1.6 says of a listener without a port.
        ("echo 'Error: Invalid port value (0).' >&2; exit 3", "(Error: Invalid port value (0).)"),
        ("echo 'Error: Invalid port value (0).' >&2; exit 3", "mosquitto 2.0"),
    ])
    func `A program that is missing, old or ends at once is named, with what to do`(script: String?, says: String)
        async throws
    {
        var broker = broker
        broker.program = nil
        if let script { broker.program = try await directory.program("mosquitto", "#!/bin/sh\n\(script)\n").path }
        let failure = try await failure(broker)
        #expect(failure.code == .unavailable && failure.description.contains(says), "\(failure)")
    }
}
