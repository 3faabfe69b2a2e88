#if Etcd
    import NIOCore
    import NIOHPACK
    import NIOHTTP2
    import NIOPosix
    import NIOSSL
    import NIOTLS
    import StoredSettings
    import Synchronization

    /// One HTTP/2 connection, on which calls of gRPC run side by side.
    ///
    /// The protocol: https://github.com/grpc/grpc/blob/master/doc/PROTOCOL-HTTP2.md
    final class GRPCConnection: Sendable {
        /// A call with one request.
        struct Call: Sendable {
            /// Such as `/etcdserverpb.KV/Txn`.
            var method: String
            var request: [UInt8]
            /// The token of the user, where etcd asks for one.
            var token: String?
            /// Gets each message of a call whose answer is a stream; nil where the answer is one message.
            var take: (@Sendable (ArraySlice<UInt8>) throws -> Void)?
        }

        private struct State {
            /// How many calls there are now.
            var calls = 0
            /// How many there were since the connection was made.
            var begun = 0
            var isRetired = false
        }

        /// A connection of HTTP/2 has numbers for 2³⁰ calls.
        private static let callLimit = 1 << 29

        /// How much a member may send before this process has read it, in bytes.
        private static let window = 4 << 20

        private let channel: any Channel
        private let streams: NIOHTTP2Handler.StreamMultiplexer
        private let address: GRPCAddress
        /// Why the connection was lost; nil where it was closed without an error.
        private let failure: LockedValue<(any Error)?>
        private let state = Mutex(State())

        private init(
            _ channel: any Channel,
            _ streams: NIOHTTP2Handler.StreamMultiplexer,
            _ address: GRPCAddress,
            _ failure: LockedValue<(any Error)?>
        ) {
            self.channel = channel
            self.streams = streams
            self.address = address
            self.failure = failure
        }

        /// Connects, and completes the TLS handshake where there is one.
        static func connect(
            to address: GRPCAddress,
            tls: NIOSSLContext?,
            within limit: TimeAmount,
            on loop: any EventLoop
        ) -> EventLoopFuture<GRPCConnection> {
            ClientBootstrap(group: loop)
                .connectTimeout(limit)
                .channelOption(.tcpOption(.tcp_nodelay), value: 1)
                .channelInitializer { channel in
                    channel.eventLoop.makeCompletedFuture {
                        guard address.isSecure, let tls else { return }
                        let pipeline = channel.pipeline.syncOperations
                        try pipeline.addHandler(NIOSSLClientHandler(context: tls, serverHostname: address.serverName))
                        try pipeline.addHandler(TLSHandler(on: channel.eventLoop))
                    }
                }
                .connect(host: address.host, port: address.port)
                .flatMap { channel in
                    let connected = handshake(on: channel, address, within: limit).flatMapThrowing { failure in
                        let pipeline = channel.pipeline.syncOperations
                        let streams = try pipeline.configureHTTP2Pipeline(
                            mode: .client,
                            connectionConfiguration: configuration,
                            streamConfiguration: streamConfiguration
                        ) { stream in
                            // etcd opens no streams.
                            stream.close()
                        }
                        try pipeline.addHandler(NIOCloseOnErrorHandler())
                        return GRPCConnection(channel, streams, address, failure)
                    }
                    connected.whenFailure { _ in channel.close(promise: nil) }
                    return connected
                }
        }

        /// Waits for the end of the TLS handshake; gives where later errors are noted.
        private static func handshake(
            on channel: any Channel,
            _ address: GRPCAddress,
            within limit: TimeAmount
        ) -> EventLoopFuture<LockedValue<(any Error)?>> {
            let loop = channel.eventLoop
            guard address.isSecure else { return loop.makeSucceededFuture(LockedValue(nil)) }
            do {
                let handler = try channel.pipeline.syncOperations.handler(type: TLSHandler.self)
                let (isReady, failure) = (handler.isReady, handler.failure)
                let timer = loop.scheduleTask(in: limit) { isReady.fail(ChannelError.connectTimeout(limit)) }
                isReady.futureResult.whenComplete { _ in timer.cancel() }
                return isReady.futureResult.map { failure }
            } catch { return loop.makeFailedFuture(error) }
        }

        private static var configuration: NIOHTTP2Handler.ConnectionConfiguration {
            var configuration = NIOHTTP2Handler.ConnectionConfiguration()
            configuration.initialSettings.append(HTTP2Setting(parameter: .initialWindowSize, value: window))
            configuration.targetWindowSize = window
            // etcd measures the connection with a PING for each request: more than are taken by default.
            configuration.controlFrameRateLimit.maximumCount = 100_000
            configuration.controlFrameRateLimit.windowLength = .seconds(1)
            return configuration
        }

        private static var streamConfiguration: NIOHTTP2Handler.StreamConfiguration {
            var configuration = NIOHTTP2Handler.StreamConfiguration()
            configuration.targetWindowSize = window
            return configuration
        }

        /// Succeeds when the connection is closed.
        var closed: EventLoopFuture<Void> { channel.closeFuture }

        /// Begins a call, which ends with the promise: failing the promise cancels the call.
        ///
        /// - Parameters:
        ///   - call: The call.
        ///   - answer: Gets the message, or for a stream no bytes when it has ended.
        func begin(_ call: Call, _ answer: EventLoopPromise<ArraySlice<UInt8>>) {
            state.withLock { state in
                state.calls += 1
                state.begun += 1
            }
            answer.futureResult.whenComplete { _ in self.endCall() }
            let handler: @Sendable () -> CallHandler = { [head = head(of: call), failure] in
                CallHandler(call, head, answer, lost: { failure.value })
            }
            streams.createStreamChannel { stream in
                answer.futureResult.whenComplete { _ in stream.close(promise: nil) }
                return stream.eventLoop.makeCompletedFuture {
                    try stream.pipeline.syncOperations.addHandler(handler())
                }
            }
            .whenFailure { [failure] error in answer.fail(failure.value ?? error) }
        }

        /// Whether the connection must have no more calls.
        var isUsedUp: Bool { state.withLock(\.begun) >= Self.callLimit }

        /// Closes the connection as soon as no call is left.
        func retire() {
            let isIdle = state.withLock { state in
                state.isRetired = true
                return state.calls == 0
            }
            if isIdle { channel.close(promise: nil) }
        }

        private func endCall() {
            let isOver = state.withLock { state in
                state.calls -= 1
                return state.isRetired && state.calls == 0
            }
            if isOver { channel.close(promise: nil) }
        }

        private func head(of call: Call) -> HPACKHeaders {
            var head: HPACKHeaders = [
                ":method": "POST", ":scheme": address.isSecure ? "https" : "http", ":path": call.method,
                ":authority": address.authority, "content-type": "application/grpc", "te": "trailers",
                // A member without a leader then refuses at once, and ends its watches.
                "hasleader": "true",
            ]
            if let token = call.token { head.add(name: "token", value: token) }
            return head
        }
    }

    /// Where a member listens.
    struct GRPCAddress: Sendable, Hashable {
        let host: String
        let port: Int
        let isSecure: Bool

        /// `host:port`, with brackets around an address of IPv6.
        var authority: String { "\(host.contains(":") ? "[\(host)]" : host):\(port)" }

        /// The name that the certificate must have; nil where an address is compared instead.
        var serverName: String? { (try? SocketAddress(ipAddress: host, port: port)) == nil ? host : nil }
    }

    /// Waits for the end of the TLS handshake, and notes later errors: a member refuses a certificate only then.
    private final class TLSHandler: ChannelInboundHandler {
        typealias InboundIn = NIOAny

        let isReady: EventLoopPromise<Void>
        let failure = LockedValue<(any Error)?>(nil)

        init(on loop: any EventLoop) { isReady = loop.makePromise() }

        func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
            if case .handshakeCompleted = event as? TLSUserEvent { isReady.succeed() }
            context.fireUserInboundEventTriggered(event)
        }

        func errorCaught(context: ChannelHandlerContext, error: any Error) {
            if failure.value == nil { failure.value = error }
            isReady.fail(error)
            context.fireErrorCaught(error)
            context.close(promise: nil)
        }

        // Also of an address that was tried beside another one of the same host.
        func handlerRemoved(context: ChannelHandlerContext) { isReady.fail(ChannelError.eof) }
    }

    /// Sends the request of one call, and reads the answer.
    private final class CallHandler: ChannelInboundHandler {
        typealias InboundIn = HTTP2Frame.FramePayload
        typealias OutboundOut = HTTP2Frame.FramePayload

        /// The longest message that is read, in bytes.
        private static let largest = 256 << 20

        private let call: GRPCConnection.Call
        private let head: HPACKHeaders
        private let answer: EventLoopPromise<ArraySlice<UInt8>>
        private let lost: () -> (any Error)?
        private var received: [UInt8] = []
        private var message: ArraySlice<UInt8>?

        /// `lost` says why the connection was lost, if that is known.
        init(
            _ call: GRPCConnection.Call,
            _ head: HPACKHeaders,
            _ answer: EventLoopPromise<ArraySlice<UInt8>>,
            lost: @escaping () -> (any Error)?
        ) {
            self.call = call
            self.head = head
            self.answer = answer
            self.lost = lost
        }

        func channelActive(context: ChannelHandlerContext) {
            var request = context.channel.allocator.buffer(capacity: 5 + call.request.count)
            request.writeInteger(UInt8(0))
            request.writeInteger(UInt32(call.request.count))
            request.writeBytes(call.request)
            context.write(wrapOutboundOut(.headers(.init(headers: head))), promise: nil)
            // etcd reads on from a client that watches.
            let data = HTTP2Frame.FramePayload.Data(data: .byteBuffer(request), endStream: call.take == nil)
            context.writeAndFlush(wrapOutboundOut(.data(data)), promise: nil)
            context.fireChannelActive()
        }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            do {
                switch unwrapInboundIn(data) {
                case .headers(let frame): try take(frame.headers)
                case .data(let frame):
                    guard case .byteBuffer(let buffer) = frame.data else { return }
                    received += buffer.readableBytesView
                    try takeMessages()
                default: break
                }
            } catch { answer.fail(error) }
        }

        /// Each message has five bytes before it: whether it is compressed, and its length.
        private func takeMessages() throws {
            while received.count >= 5 {
                let length = received[1..<5].reduce(0) { $0 << 8 | Int($1) }
                guard received[0] == 0, length <= Self.largest else {
                    throw EtcdError(.outcomeUnknown, "the answer is compressed or too long")
                }
                guard received.count >= 5 + length else { return }
                let bytes = Array(received[5..<(5 + length)])[...]
                received.removeFirst(5 + length)
                if let take = call.take { try take(bytes) } else { message = bytes }
            }
        }

        /// The status is in the trailers, or in the headers of an answer without a message.
        private func take(_ headers: HPACKHeaders) throws {
            if let status = headers.first(name: "grpc-status") {
                guard status == "0" else {
                    let text = headers.first(name: "grpc-message").map(\.percentDecoded) ?? "error \(status)"
                    throw EtcdError(grpcCode: Int(status) ?? 2, text: text)
                }
                guard let message = message ?? call.take.map({ _ in [] }) else {
                    throw EtcdError(.outcomeUnknown, "the answer is empty")
                }
                answer.succeed(message)
            } else if let status = headers.first(name: ":status"), status != "200" {
                throw EtcdError(.refused, "the member answers with the status \(status) of HTTP")
            }
        }

        func channelInactive(context: ChannelHandlerContext) {
            answer.fail(lost() ?? ChannelError.eof)
            context.fireChannelInactive()
        }

        func errorCaught(context: ChannelHandlerContext, error: any Error) { answer.fail(lost() ?? error) }
    }

    extension String {
        /// The text of which this is the form that HTTP headers have.
        fileprivate var percentDecoded: String {
            var bytes: [UInt8] = []
            var rest = utf8[...]
            while let byte = rest.popFirst() {
                let digits = rest.prefix(2)
                if byte == UInt8(ascii: "%"), digits.count == 2, let code = UInt8(Substring(digits), radix: 16) {
                    bytes.append(code)
                    rest = rest.dropFirst(2)
                } else {
                    bytes.append(byte)
                }
            }
            return String(decoding: bytes, as: UTF8.self)
        }
    }
#endif
