import Foundation
import MQTT
import OpenSSL
import TestSupport
import Testing

/// What makes the loop of libmosquitto 2.0.11 end for good, hang or spin; here it is a failed attempt among others.
///
/// Each fault is met several times, while the client's thread is watched; when it has gone, the client connects, and then
/// it stops when told to.
@Suite("What ends, hangs or spins libmosquitto's loop", .endsAll, .timeLimit(.minutes(5)))
struct LoopFaultTests {
    /// Far above what attempts at this rate need, far below what a thread that spins uses.
    private static let idle = 0.3

    let certificates: Certificates

    init() throws { certificates = try Certificates() }

    /// Attempts that are seldom enough to be hardly any work.
    private func client(_ endpoint: MQTTEndpoint, connectTimeout: Duration = .seconds(2)) throws -> RunningClient {
        try RunningClient(
            .local(1, "one") {
                $0.endpoint = endpoint
                $0.reconnectLimit = .milliseconds(150)
                $0.connectTimeout = connectTimeout
                $0.acknowledgeTimeout = min(connectTimeout, .seconds(2))
            }
        )
    }

    private func plain(_ port: Int) -> MQTTEndpoint { .tcp(host: "127.0.0.1", port: port) }

    private func secure(_ port: Int) throws -> MQTTEndpoint { try .tls(host: "127.0.0.1", port: port, trust: .any) }

    private func recovers(_ running: RunningClient) async throws {
        try await running.session()
        #expect(try await running.isOfUse())
        #expect(await running.stopsAtOnce())
    }

    // MARK: No connection

    @Test func `A first connect that is refused is tried again, without a spinning loop`() async throws {
        let port = try freePort()
        let running = try client(plain(port))
        let waiting = Task { try await running.client.subscribe([.init("a")]) }
        #expect(try await running.failure().code == .unreachable)
        #expect(try await running.loadOfFailing() < Self.idle)
        let early = await errorCode { try await running.client.publish(.init(topic: "a", payload: "x")) }
        #expect(early == .notConnected)
        let broker = try await MosquittoBroker.start(port: port)
        _ = try await waiting.value
        try await recovers(running)
        _ = broker
    }

    @Test func `A host that drops every packet is given up in time, and found when it is back`() async throws {
        var hole: DeafListener? = try DeafListener(port: freePort())
        let port = try #require(hole?.port)
        let running = try client(plain(port), connectTimeout: .milliseconds(300))
        #expect(try await running.failure().code == .timeout)
        #expect(try await running.loadOfFailing() < Self.idle)
        let patient = try client(plain(port), connectTimeout: .seconds(60))
        #expect(await patient.stopsAtOnce(), "in the middle of an attempt")
        hole = nil
        let broker = try await MosquittoBroker.start(port: port)
        try await recovers(running)
        _ = broker
    }

    // MARK: TLS

    @Test(arguments: [0, 3, 5, 60, 200, 700], [false, true])
    func `A TLS handshake cut off, or cut right after, is tried again`(after bytes: Int, reset: Bool) async throws {
        let broker = try await MosquittoBroker.start(certificates.options)
        let way = try await TCPGate(to: [broker.port], cutting: bytes...bytes, resets: reset)
        let running = try client(secure(way.ports[0]))
        let reason = try await running.failure()
        // Seven hundred bytes may be the whole handshake.
        #expect(
            reason.code == .tlsFailed || bytes == 700 && [.connectionLost, .closedOnConnect].contains(reason.code),
            "\(reason)"
        )
        #expect(try await running.loadOfFailing() < Self.idle)
        try await way.spare()
        try await recovers(running)
    }

    @Test func `Plain text on a port for TLS is an error, and is tried again`() async throws {
        let port = try freePort()
        let plain = try await MosquittoBroker.start(port: port)
        let running = try client(secure(port))
        #expect(try await running.failure().code == .tlsFailed)
        #expect(try await running.loadOfFailing() < Self.idle)
        await plain.stop()
        let broker = try await MosquittoBroker.start(certificates.options, port: port)
        try await recovers(running)
        _ = broker
    }

    @Test(arguments: [(SIGKILL, nil), (SIGTERM, nil), (SIGKILL, 1_023)] as [(Int32, Int?)])
    func `A broker that ends under TLS is found again, also by high descriptors`(signal: Int32, above: Int?)
        async throws
    {
        let crowd = try above.map { try DescriptorCrowd(above: $0) }
        let broker = try await MosquittoBroker.start(certificates.options)
        let running = try client(secure(broker.port))
        try await running.session()
        if signal == SIGKILL { await broker.kill() } else { await broker.stop() }
        #expect(try await running.loadOfFailing() < Self.idle)
        try await broker.start()
        try await recovers(running)
        _ = crowd
    }
}
