import Foundation
import MQTT
import OpenSSL
import TestSupport
import Testing

@Suite("TLS to a real broker", .endsAll, .timeLimit(.minutes(5)))
struct TLSTests {
    let certificates: Certificates

    init() throws { certificates = try Certificates() }

    private func endpoint(_ trust: TrustPolicy, _ port: Int, host: String = "127.0.0.1") throws -> MQTTEndpoint {
        try .tls(host: host, port: port, trust: trust)
    }

    @Test(arguments: ["127.0.0.1", "localhost"])
    func `A certificate of a known authority for the right name is accepted`(host: String) async throws {
        let broker = try await MosquittoBroker.start(certificates.options)
        let endpoint = try endpoint(.authority(file: certificates.chain.path, commonName: nil), broker.port, host: host)
        let running = try await RunningClient.connected(to: broker.port, as: "one") { $0.endpoint = endpoint }
        let subscription = try await running.client.subscribe([.init("a")])
        let payload = [UInt8](repeating: 7, count: 300_000)
        try await running.client.publish(.init(topic: "a", payload: payload, qos: .exactlyOnce))
        #expect(try await subscription.take().map(\.payload) == [payload])
    }

    @Test func `A handshake that takes long does not stop another client of the same endpoint`() async throws {
        let broker = try await MosquittoBroker.start(certificates.options)
        let endpoint = try endpoint(.authority(file: certificates.chain.path, commonName: nil), broker.port)
        let running = try await RunningClient.connected(to: broker.port, as: "one") { $0.endpoint = endpoint }
        broker.signal(SIGSTOP)
        let other = try RunningClient(.local(broker.port, "other") { $0.endpoint = endpoint })
        try await Task.sleep(for: .milliseconds(300))
        broker.signal(SIGCONT)
        guard case .tls(let one, _) = running.client.configuration.endpoint,
            case .tls(let two, _) = other.client.configuration.endpoint
        else { throw TestFailure("an endpoint is without TLS") }
        #expect(one !== two, "each knows of its own handshakes")
        try await running.client.publish(.init(topic: "a", payload: "x"))
    }

    @Test func `A broker that asks for a client's certificate gets it`() async throws {
        var options = certificates.options
        options.clientAuthority = certificates.chain
        let broker = try await MosquittoBroker.start(options)
        let identity = certificates.identity
        let endpoint = try MQTTEndpoint.tls(host: "127.0.0.1", port: broker.port, trust: .any, identity: identity)
        _ = try await RunningClient.connected(to: broker.port, as: "one") { $0.endpoint = endpoint }
    }

    @Test(arguments: [
        ("localhost", nil, "localhost"), ("localhost", "broker", "broker"), ("127.0.0.1", "broker", "broker"),
    ])
    func `The server name is the common name that is expected, and else the host`(
        host: String,
        commonName: String?,
        name: String
    ) async throws {
        let port = try freePort()
        let script = """
            import socket, ssl, sys
            names = []
            context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
            context.load_cert_chain(sys.argv[1], sys.argv[2])
            context.sni_callback = lambda _, name, __: names.append(name)
            listener = socket.create_server(("127.0.0.1", int(sys.argv[3])))
            print("ready", flush=True)
            connection = context.wrap_socket(listener.accept()[0], server_side=True)
            print("name", *names, "end", flush=True)
            """
        let server = try ChildProcess(
            "python3",
            ["-c", script, certificates.chain.path, certificates.key.path, "\(port)"],
            log: certificates.directory.file("server")
        )
        try await server.waitForOutput("ready")
        let trust = TrustPolicy.authority(file: certificates.chain.path, commonName: commonName)
        let endpoint = try endpoint(trust, port, host: host)
        _ = try RunningClient(.local(port, "one") { $0.endpoint = endpoint })
        // Only a complete handshake is told.
        try await server.waitForOutput("name \(name) end\n")
    }
}
