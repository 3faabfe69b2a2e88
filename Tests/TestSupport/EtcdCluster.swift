import Foundation
import Synchronization

/// Real members of an etcd cluster on ports of 127.0.0.1; killed when the test ends.
public final class EtcdCluster: Sendable {
    /// What to do where ``isInstalled`` is false.
    public static let advice: String = "needs etcd: make test-fleet"
    /// Whether it can be started.
    public static let isInstalled: Bool = ChildProcess.isInstalled("etcd")

    private struct Member: Sendable {
        let name: String
        let clientPort: Int
        let peerPort: Int
        var process: ChildProcess?
    }

    private let directory: TemporaryDirectory
    private let members: Mutex<[Member]>

    /// The client URLs of the members.
    public let endpoints: [String]

    /// The ports of the client URLs.
    public var ports: [Int] { members.withLock { $0.map(\.clientPort) } }

    /// Starts a cluster, and waits until it has a leader.
    public init(members count: Int = 3) async throws {
        directory = try TemporaryDirectory()
        let made = try (0..<count).map {
            Member(name: "n\($0)", clientPort: try freePort(), peerPort: try freePort())
        }
        endpoints = made.map { "http://127.0.0.1:\($0.clientPort)" }
        members = Mutex(made)
        for index in 0..<count { try start(index) }
        try await waitForLeader()
    }

    /// Starts a member, again if it was killed.
    public func start(_ index: Int) throws {
        let all = members.withLock { $0 }
        let member = all[index]
        let (client, peer) = ("http://127.0.0.1:\(member.clientPort)", "http://127.0.0.1:\(member.peerPort)")
        let initial = all.map { "\($0.name)=http://127.0.0.1:\($0.peerPort)" }.joined(separator: ",")
        let process = try ChildProcess(
            "etcd",
            [
                "--name", member.name, "--data-dir", directory.file(member.name).path,
                "--listen-client-urls", client, "--advertise-client-urls", client,
                "--listen-peer-urls", peer, "--initial-advertise-peer-urls", peer,
                "--initial-cluster", initial, "--log-level", "error",
            ],
            log: directory.file(member.name + ".log")
        )
        members.withLock { $0[index].process = process }
    }

    /// Ends a member without a chance to say goodbye.
    public func kill(_ index: Int) async { await process(index)?.stop(SIGKILL) }

    /// Stops a member from doing anything, with its connections open; SIGCONT lets it go on.
    public func signal(_ index: Int, _ number: Int32) { process(index)?.signal(number) }

    /// Runs `etcdctl` against the members that run.
    @discardableResult
    public func control(_ arguments: String...) async throws -> String {
        let log = directory.file("control-\(UUID().uuidString)")
        let process = try ChildProcess(
            "etcdctl",
            ["--endpoints", endpoints.joined(separator: ","), "--dial-timeout", "2s"] + arguments,
            environment: ["ETCDCTL_API": "3"],
            log: log
        )
        await process.exitStatus()
        return process.output
    }

    /// The member that leads.
    public func leader() async throws -> Int {
        for index in endpoints.indices {
            let status = try? await ask(index, "/v3/maintenance/status")
            let own = (status?["header"] as? [String: Any])?["member_id"] as? String
            if let leader = status?["leader"] as? String, leader == own { return index }
        }
        throw TestFailure("the cluster has no leader")
    }

    /// Waits until changes are possible.
    public func waitForLeader() async throws {
        try await eventually("a leader of etcd") { (try? await self.leader()) != nil }
    }

    private func process(_ index: Int) -> ChildProcess? { members.withLock { $0[index].process } }

    private func ask(_ index: Int, _ path: String) async throws -> [String: Any] {
        let file = directory.file("answer-\(UUID().uuidString)")
        let curl = try ChildProcess(
            "curl",
            ["-s", "-m", "2", "-d", "{}", endpoints[index] + path],
            log: file
        )
        await curl.exitStatus()
        let answer = try JSONSerialization.jsonObject(with: Data(curl.output.utf8))
        return answer as? [String: Any] ?? [:]
    }
}
