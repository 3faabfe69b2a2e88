import MQTT
import OpenSSL
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1)))
struct `Thousands of open descriptors` {
    private static let crowd = 4_000

    @Test(
        .enabled(
            if: DescriptorCrowd.limit >= crowd + 1_024,
            "needs 5,024 descriptors: raise the hard limit (ulimit -Hn)"
        )
    )
    func `do not keep clients from connecting, by TCP, TLS and Unix sockets, and from coming back`() async throws {
        let certificates = try Certificates()
        var options = MosquittoBroker.Options()
        options.unixSocket = true
        let (plain, secure) = (
            try await MosquittoBroker.start(options), try await MosquittoBroker.start(certificates.options)
        )
        let crowd = try DescriptorCrowd(above: Self.crowd)
        #expect(crowd.descriptors.last ?? 0 > Self.crowd)
        let endpoints: [MQTTEndpoint] = [
            .tcp(host: "127.0.0.1", port: plain.port), .unixSocket(path: plain.socketPath),
            try .tls(host: "127.0.0.1", port: secure.port, trust: .pinned(sha256: certificates.fingerprint)),
        ]
        let loop = MQTTEventLoop(label: "test")
        let clients = (0..<12).map { index in
            RunningClient(.local(1, "\(index)") { $0.endpoint = endpoints[index % 3] }, loop: loop)
        }
        for running in clients {
            try await running.session()
            #expect(try await running.isOfUse())
        }
        for broker in [plain, secure] {
            await broker.kill()
            try await broker.start()
        }
        for running in clients {
            try await eventually("of use again") { (try? await running.isOfUse()) == true }
            await running.stop()
        }
        withExtendedLifetime(crowd) {}
    }
}
