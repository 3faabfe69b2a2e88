import Foundation
import Synchronization

/// Real members of an etcd cluster on ports of 127.0.0.1; killed when the test ends.
package final class EtcdCluster: Sendable {
    /// How members and their clients show who they are.
    package struct Security: Sendable {
        /// The certificate of all members and of ``EtcdCluster/control(_:)``; clients need one of the same authority.
        package var certificates: TestCertificates
        /// After how long a token that a user got for a password ends.
        package var tokenLifetime = Duration.seconds(300)

        package init(_ certificates: TestCertificates) { self.certificates = certificates }
    }

    /// What to do where ``isInstalled`` is false.
    package static let advice: String = "needs etcd: run 'make test', which installs it"
    package static let isInstalled: Bool = ChildProcess.isInstalled("etcd")

    private struct Member: Sendable {
        let name: String
        let clientPort: Int
        let peerPort: Int
        var process: ChildProcess?
    }

    private let directory: TemporaryDirectory
    private let members: Mutex<[Member]>
    private let security: Security?
    private let rootPassword = Mutex<String?>(nil)

    package let endpoints: [String]
    package var ports: [Int] { members.withLock { $0.map(\.clientPort) } }

    /// Starts a cluster, and waits until it has a leader.
    package init(members count: Int = 3, security: Security? = nil) async throws {
        directory = try TemporaryDirectory()
        self.security = security
        let made = try (0..<count).map {
            Member(name: "n\($0)", clientPort: try freePort(), peerPort: try freePort())
        }
        let scheme = security == nil ? "http" : "https"
        endpoints = made.map { "\(scheme)://127.0.0.1:\($0.clientPort)" }
        members = Mutex(made)
        for index in 0..<count { try start(index) }
        try await waitForLeader()
    }

    /// Starts a member, again if it was killed.
    package func start(_ index: Int) throws {
        let all = members.withLock { $0 }
        let member = all[index]
        let (client, peer) = (endpoints[index], "http://127.0.0.1:\(member.peerPort)")
        let initial = all.map { "\($0.name)=http://127.0.0.1:\($0.peerPort)" }.joined(separator: ",")
        let process = try ChildProcess(
            "etcd",
            [
                "--name", member.name, "--data-dir", directory.file(member.name).path,
                "--listen-client-urls", client, "--advertise-client-urls", client,
                "--listen-peer-urls", peer, "--initial-advertise-peer-urls", peer,
                "--initial-cluster", initial, "--log-level", "error",
            ] + (security?.options ?? []),
            log: directory.file(member.name + ".log")
        )
        members.withLock { $0[index].process = process }
    }

    /// Writes a snapshot of the only member, to which ``restore(_:)`` goes back.
    package func saveSnapshot() async throws -> String {
        let snapshot = directory.file("snapshot").path
        try await control("snapshot", "save", snapshot)
        return snapshot
    }

    /// Starts the only member anew with what a snapshot has.
    package func restore(_ snapshot: String) async throws {
        await kill(0)
        let member = members.withLock { $0[0] }
        let (data, peer) = (directory.file(member.name), "http://127.0.0.1:\(member.peerPort)")
        try FileManager.default.removeItem(at: data)
        let cluster = ["--initial-cluster", "\(member.name)=\(peer)", "--initial-advertise-peer-urls", peer]
        try await control(["snapshot", "restore", snapshot, "--name", member.name, "--data-dir", data.path] + cluster)
        try start(0)
        try await waitForLeader()
    }

    package func kill(_ index: Int) async { await process(index)?.stop(SIGKILL) }

    /// Stops a member from doing anything, with its connections open; SIGCONT lets it go on.
    package func signal(_ index: Int, _ number: Int32) { process(index)?.signal(number) }

    @discardableResult
    package func control(_ arguments: String...) async throws -> String { try await control(arguments) }

    @discardableResult
    private func control(_ arguments: [String]) async throws -> String {
        let log = directory.file("control-\(UUID().uuidString)")
        let process = try ChildProcess(
            "etcdctl",
            ["--endpoints", endpoints.joined(separator: ","), "--dial-timeout", "2s"] + (security?.clientOptions ?? [])
                + (rootPassword.withLock { $0 }.map { ["--user", "root:\($0)"] } ?? []) + arguments,
            environment: ["ETCDCTL_API": "3"],
            log: log
        )
        await process.exitStatus()
        return process.output
    }

    /// Lets only users with passwords in from now on.
    package func enableUsers(root: String) async throws {
        try await control("user", "add", "root:\(root)")
        try await control("user", "grant-role", "root", "root")
        try await control("auth", "enable")
        rootPassword.withLock { $0 = root }
    }

    package func leader() async throws -> Int {
        for index in endpoints.indices {
            let status = try? await ask(index, "/v3/maintenance/status")
            let own = (status?["header"] as? [String: Any])?["member_id"] as? String
            if let leader = status?["leader"] as? String, leader == own { return index }
        }
        throw TestFailure("the cluster has no leader")
    }

    package func waitForLeader() async throws {
        try await eventually("a leader of etcd") { (try? await self.leader()) != nil }
    }

    /// Waits until a member has found the others.
    package func waitForMember(_ index: Int) async throws {
        try await eventually("a leader for member \(index) of etcd") {
            let leader = (try? await self.ask(index, "/v3/maintenance/status"))?["leader"] as? String
            return leader != nil && leader != "0"
        }
    }

    private func process(_ index: Int) -> ChildProcess? { members.withLock { $0[index].process } }

    private func ask(_ index: Int, _ path: String) async throws -> [String: Any] {
        let file = directory.file("answer-\(UUID().uuidString)")
        let curl = try ChildProcess(
            "curl",
            ["-s", "-m", "2", "-d", "{}", endpoints[index] + path] + (security?.clientOptions ?? []),
            log: file
        )
        await curl.exitStatus()
        let answer = try JSONSerialization.jsonObject(with: Data(curl.output.utf8))
        return answer as? [String: Any] ?? [:]
    }
}

extension EtcdCluster.Security {
    fileprivate var options: [String] {
        [
            "--cert-file", certificates.chain.path, "--key-file", certificates.key.path, "--client-cert-auth",
            "--trusted-ca-file", certificates.authority.path, "--bcrypt-cost", "4",
            "--auth-token-ttl", "\(tokenLifetime.components.seconds)",
        ]
    }
    /// For `etcdctl` and `curl`.
    fileprivate var clientOptions: [String] {
        [
            "--cert", certificates.chain.path, "--key", certificates.key.path,
            "--cacert", certificates.authority.path,
        ]
    }
}
