import Foundation
import NIOCore
import NIOEmbedded
import NIOPosix
import OpenSSL
import TestSupport
import Testing

@Suite("The TLS handler on real connections")
struct TLSHandlerTests {
    private static let group = MultiThreadedEventLoopGroup.singleton

    /// A listener whose connections get handlers.
    private func listen(
        mayHalfClose: Bool = false,
        _ configure: @escaping @Sendable (any Channel) throws -> Void
    ) async throws -> any Channel {
        try await ServerBootstrap(group: Self.group)
            .childChannelOption(.allowRemoteHalfClosure, value: mayHalfClose)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture { try configure(channel) }
            }
            .bind(host: "127.0.0.1", port: 0).get()
    }

    /// One that speaks TLS, and tells what it hears.
    private func listen(_ there: Recorder, maximum: TLSVersion? = nil) async throws -> any Channel {
        let server = try TLSSessionTests.server(maximum: maximum)
        return try await listen { channel in
            try channel.pipeline.syncOperations.addHandlers(TLSHandler(context: server), there)
        }
    }

    private func connect(
        to listener: any Channel,
        _ trust: TrustPolicy,
        host: String? = nil,
        recorder: Recorder,
        closeTimeout: Duration = .seconds(1)
    ) async throws -> any Channel {
        let context = try TLSContext.client(trust: trust)
        let port = try #require(listener.localAddress?.port)
        return try await ClientBootstrap(group: Self.group)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandlers(
                        TLSHandler(context: context, host: host, closeTimeout: closeTimeout),
                        recorder
                    )
                }
            }
            .connect(host: "127.0.0.1", port: port).get()
    }

    @Test(arguments: TLSVersion.allCases)
    func `Connections carry a megabyte there and back, written before the handshake`(version: TLSVersion) async throws {
        let there = Recorder(echoes: true)
        let listener = try await listen(there, maximum: version)
        let here = Recorder()
        let timeout = Duration.seconds(60)
        let channel = try await connect(to: listener, .any, host: "a.test", recorder: here, closeTimeout: timeout)
        let payload = (0..<1_000_000).map { UInt8(truncatingIfNeeded: $0 &* 7) }
        try await channel.writeAndFlush(ByteBuffer(bytes: payload))
        try await eventually("the echo") { here.value.bytes.count == payload.count }
        #expect(here.value.bytes == payload)
        #expect(here.value.handshake?.protocolVersion == version)
        #expect(here.value.handshake?.certificate?.commonName == "00M00A000000001")

        let started = ContinuousClock.now
        try await channel.close()
        #expect(ContinuousClock.now - started < .seconds(30), "the peer answers: the bound is not waited for")
        try await eventually("the server's end") { there.value.isInactive }
        #expect(there.value.end == .closeNotify)
        #expect(here.value.failures.isEmpty && there.value.failures.isEmpty)
        await #expect(throws: (any Error).self) { try await channel.writeAndFlush(ByteBuffer(bytes: [1])) }
        try await listener.close()
    }

    @Test func `An untrusted server gets no byte of plaintext`() async throws {
        let there = Recorder()
        let listener = try await listen(there)
        let here = Recorder()
        let pin = String(repeating: "ab", count: 32)
        let channel = try await connect(to: listener, .pinned(sha256: pin), recorder: here)
        await #expect(throws: (any Error).self) { try await channel.writeAndFlush(ByteBuffer(string: "secret")) }
        try await channel.closeFuture.get()
        try await eventually("the server's end") { there.value.isInactive }
        #expect(here.value.failures.map(\.code) == [.certificateChanged(expected: pin)])
        #expect(here.value.handshake == nil)
        #expect(there.value.bytes.isEmpty)
        #expect(there.value.failures.count == 1, "the alert tells the server")
        try await listener.close()
    }

    @Test func `A connection that ends during the handshake is told apart from one that fails`() async throws {
        let listener = try await listen { $0.close(promise: nil) }
        let here = Recorder()
        let channel = try await connect(to: listener, .any, recorder: here)
        try await channel.closeFuture.get()
        try await eventually("the end") { here.value.isInactive }
        // A reset is an error of the connection, not of TLS.
        #expect(here.value.failures.allSatisfy { $0.code == .closed })
        try await listener.close()
    }

    @Test func `Closing does not wait longer than it was told for a peer that says nothing`() async throws {
        let server = try TLSSessionTests.server()
        let there = Recorder()
        let listener = try await listen(mayHalfClose: true) { channel in
            try channel.pipeline.syncOperations.addHandlers(Deaf(), TLSHandler(context: server), there)
        }
        let here = Recorder()
        let channel = try await connect(to: listener, .any, recorder: here, closeTimeout: .milliseconds(200))
        // On both sides: else our end of the handshake and our goodbye may be read in one, and be answered.
        try await eventually("the handshake") { here.value.handshake != nil && there.value.handshake != nil }
        let started = ContinuousClock.now
        try await channel.close()
        let took = ContinuousClock.now - started
        #expect(took >= .milliseconds(190) && took < .seconds(30), "\(took)")
        try await listener.close()
    }

    @Test func `Closing before the handshake is complete closes at once`() async throws {
        let listener = try await listen { _ in }
        let here = Recorder()
        let channel = try await connect(to: listener, .any, recorder: here, closeTimeout: .seconds(60))
        let pending = channel.write(ByteBuffer(string: "never sent"))
        let started = ContinuousClock.now
        try await channel.close()
        #expect(ContinuousClock.now - started < .seconds(30))
        await #expect(throws: (any Error).self) { try await pending.get() }
        try await listener.close()
    }

    @Test func `The handshake also moves while nobody reads above, and a cut is reported as truncation`() throws {
        let client = EmbeddedChannel()
        let server = EmbeddedChannel()
        try client.setOption(.autoRead, value: false).wait()
        let here = Recorder()
        try client.pipeline.syncOperations.addHandlers(TLSHandler(context: .client(trust: .any)), here)
        try server.pipeline.syncOperations.addHandler(TLSHandler(context: TLSSessionTests.server()))
        let address = try SocketAddress(unixDomainSocketPath: "/none")
        try server.connect(to: address).wait()
        try client.connect(to: address).wait()
        client.writeAndFlush(ByteBuffer(string: "hi"), promise: nil)
        for _ in 0..<6 {
            while let bytes = try client.readOutbound(as: ByteBuffer.self) { try server.writeInbound(bytes) }
            while let bytes = try server.readOutbound(as: ByteBuffer.self) { try client.writeInbound(bytes) }
        }
        #expect(try server.readInbound(as: ByteBuffer.self) == ByteBuffer(string: "hi"))
        client.pipeline.fireChannelInactive()
        #expect(here.value.end == .truncated && here.value.failures.isEmpty)
        _ = try? client.finish()
        _ = try? server.finish()
    }
}

/// Below TLS: hears nothing once the handshake is over, not even the end.
private final class Deaf: ChannelDuplexHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundIn = ByteBuffer
    private var isDeaf = false
    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {}
    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        if !isDeaf { context.fireChannelRead(data) }
        // An alert is a record of 19 bytes or more in TLS 1.3: the handshake's are longer.
        isDeaf = isDeaf || unwrapInboundIn(data).readableBytes < 100
    }
    func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
        promise?.succeed()
    }
}
