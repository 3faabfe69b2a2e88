import Foundation
import SettingsEtcd
import SettingsSamples
import StoredSettings
import TestSupport
import Testing

@Suite(
    "Access to etcd with certificates, users and passwords",
    .enabled(if: EtcdCluster.isInstalled, Comment(rawValue: EtcdCluster.advice)),
    .serialized
)
struct EtcdAccessTests {
    typealias Change = @Sendable (inout EtcdConfiguration, EtcdAccess) -> Void

    /// Ways to show who one is, the codes of what is wrong with it, and its words.
    ///
    /// There are several codes where the network decides which side notices first.
    static let rows: [(String, Set<EtcdError.Code>, String, Change)] = [
        ("as it should be", [], "", { _, _ in }),
        (
            "another authority", [.unreachable], "not in the CA file",
            { $0.caFile = $1.certificates.otherAuthority.path }
        ),
        ("the authorities of the system", [.unreachable], "not in the CA file", { one, _ in one.caFile = nil }),
        (
            "no certificate", [.unreachable], "client certificate",
            { one, _ in (one.certificateFile, one.keyFile) = (nil, nil) }
        ),
        (
            "a certificate of another authority", [.unreachable], "client certificate",
            { ($0.certificateFile, $0.keyFile) = ($1.others.chain.path, $1.others.key.path) }
        ),
        ("another password", [.notAllowed], "invalid user ID or password", { one, _ in one.password = "wrong" }),
        ("another user", [.notAllowed], "invalid user ID or password", { one, _ in one.username = "nobody" }),
        ("no user", [.notAllowed], "permission denied", { one, _ in one.username = nil }),
        ("a user without the right", [.notAllowed], "permission denied", { one, _ in one.username = "guest" }),
        (
            "http", [.outcomeUnknown], "check http or https",
            { one, _ in one.endpoints = one.endpoints.map { $0.replacing("https:", with: "http:") } }
        ),
        (
            "https to members without TLS", [.unreachable, .outcomeUnknown], "check http or https",
            { $0.endpoints = $1.plain.endpoints.map { $0.replacing("http:", with: "https:") } }
        ),
        (
            "a user where there are none", [.refused], "authentication is not enabled",
            { $0.endpoints = $1.plain.endpoints }
        ),
    ]

    @Test(arguments: rows)
    func `A client is let in, or told what is wrong`(
        _: String,
        codes: Set<EtcdError.Code>,
        fault: String,
        change: Change
    ) async throws {
        let access = try await sharedAccess.value
        var configuration = access.configuration
        change(&configuration, access)
        let client = try EtcdClient(configuration)
        do {
            _ = try await client.transact([], then: [.put("own/a", [1])])
            #expect(codes.isEmpty)
        } catch let error as EtcdError {
            #expect(codes.contains(error.code) && error.message.contains(fault), "\(error)")
            #expect(!error.message.contains("secret"), "\(error)")
        }
    }

    @Test func `The members are counted also for a user who may only use some keys`() async throws {
        let access = try await sharedAccess.value
        #expect(try await EtcdClient(access.configuration).countVotingMembers() == access.cluster.endpoints.count)
    }

    @Test func `A change that found no connection in time is not made when there is one later`() async throws {
        let access = try await sharedAccess.value
        let gate = try await TCPGate(to: [access.cluster.ports[0]])
        var configuration = access.configuration
        configuration.endpoints = gate.ports.map { "https://127.0.0.1:\($0)" }
        let client = try EtcdClient(configuration)
        _ = try await client.read(.one("own/late"))
        gate.cut()
        var codes: [EtcdError.Code] = []
        // The first loses the connection that there is; the second begins a handshake, which ends after the gate is mended.
        for key in ["own/lost", "own/late"] {
            do {
                _ = try await client.transact([], then: [.put(key, [1])], timeout: .milliseconds(300))
            } catch let error as EtcdError { codes.append(error.code) }
        }
        #expect(codes == [.outcomeUnknown, .unreachable])
        gate.mend()
        try await eventually("the connection works again") { (try? await client.read(.one("own/late"))) != nil }
        try await Task.sleep(for: .seconds(1))
        #expect(try await client.read(.one("own/late")).keys.isEmpty)
    }

    @Test func `A token that has ended is renewed, for changes and for the watch`() async throws {
        let access = try await sharedAccess.value
        var options = EtcdSettingsStore.Options()
        options.prefix = "own/"
        let store = try await EtcdSettingsStore.open(EtcdClient(access.configuration), options: options)
        let other = try await EtcdSettingsStore.open(EtcdClient(access.configuration), options: options)
        for value in 1...3 {
            try await Task.sleep(for: EtcdAccess.tokenLifetime + .seconds(2))
            try await store.put("a", ["x": .int(value)])
            try await eventually("the change arrives") { try other.record("a")?.values["x"] == .int(value) }
        }
    }

    @Test func `A watch that begins with a token that has ended gets another one at once`() async throws {
        let access = try await sharedAccess.value
        let quiet = try EtcdClient(access.configuration)
        let watch = EtcdWatch(quiet, .prefix("own/"))
        let page = try await watch.load()
        try await Task.sleep(for: EtcdAccess.tokenLifetime + .seconds(2))
        let changes = LockedValue(0)
        let running = Task { await watch.run(after: page.revision) { _ in changes.value += 1 } }
        defer { running.cancel() }
        let writer = try EtcdClient(access.configuration)
        _ = try await writer.transact([], then: [.put("own/b", [1])])
        // Another call of the client would get a token after this time.
        let timeout = EtcdWatch.checkInterval - .seconds(1)
        try await eventually("the change", timeout: timeout) { changes.value > 0 }
    }
}

/// Members of etcd that ask for certificates and passwords, and a client that has them.
struct EtcdAccess: Sendable {
    static let tokenLifetime = Duration.seconds(1)

    let certificates: TestCertificates
    let others: TestCertificates
    let cluster: EtcdCluster
    /// Members that ask for nothing.
    let plain: EtcdCluster
    let configuration: EtcdConfiguration

    init() async throws {
        certificates = try await TestCertificates(.loopback)
        others = try await TestCertificates(.loopback)
        var security = EtcdCluster.Security(certificates)
        security.tokenLifetime = Self.tokenLifetime
        cluster = try await EtcdCluster(security: security)
        plain = try await sharedCluster.value
        for user in ["bridge", "guest"] { try await cluster.control("user", "add", "\(user):secret") }
        try await cluster.control("role", "add", "bridges")
        try await cluster.control("role", "grant-permission", "bridges", "--prefix=true", "readwrite", "own/")
        try await cluster.control("user", "grant-role", "bridge", "bridges")
        try await cluster.enableUsers(root: "root")
        var configuration = EtcdConfiguration(endpoints: cluster.endpoints)
        configuration.caFile = certificates.authority.path
        configuration.certificateFile = certificates.chain.path
        configuration.keyFile = certificates.key.path
        configuration.username = "bridge"
        configuration.password = "secret"
        self.configuration = configuration
    }
}

private let sharedAccess = Task { try await EtcdAccess() }
