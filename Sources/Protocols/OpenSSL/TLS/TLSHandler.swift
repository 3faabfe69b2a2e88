package import NIOCore

/// TLS in a channel's pipeline: bytes of the connection below, plaintext above, ``TLSSession`` between.
///
/// It fires ``TLSHandshakeCompleted`` and ``TLSInputClosed`` as user events and ``TLSFailure`` as an error, after which it
/// closes the channel. Writes wait for the handshake. Closing sends close_notify and the end of our stream, and waits for the
/// peer's end for as long as `closeTimeout`. It sets no deadline on the handshake: the opener of the channel does.
package final class TLSHandler: ChannelDuplexHandler {
    package typealias InboundIn = ByteBuffer
    package typealias InboundOut = ByteBuffer
    package typealias OutboundIn = ByteBuffer
    package typealias OutboundOut = ByteBuffer

    private let session: TLSSession
    private let closeTimeout: TimeAmount
    private var waiting = MarkedCircularBuffer<(bytes: ByteBuffer, promise: EventLoopPromise<Void>?)>(
        initialCapacity: 4
    )
    private var closing: Closing?
    private var closePromises: [EventLoopPromise<Void>] = []

    /// How far a close of our own has come.
    private enum Closing {
        case waitingForPeer(Scheduled<Void>)
        case done
    }

    /// A handler for one connection, see ``TLSSession/init(context:host:trust:)``.
    package init(
        context: TLSContext,
        host: String? = nil,
        trust: TrustPolicy? = nil,
        closeTimeout: Duration = .seconds(1)
    ) throws(TLSFailure) {
        session = try TLSSession(context: context, host: host, trust: trust)
        self.closeTimeout = TimeAmount(closeTimeout)
    }

    package func handlerAdded(context: ChannelHandlerContext) {
        if context.channel.isActive { start(context) }
    }

    package func handlerRemoved(context: ChannelHandlerContext) { completePending() }

    package func channelActive(context: ChannelHandlerContext) {
        start(context)
        context.fireChannelActive()
    }

    /// Reports an end that no close_notify announced.
    package func channelInactive(context: ChannelHandlerContext) {
        let end = session.receiveEnd()
        for promise in takeClosePromises() { promise.succeed() }
        handle(end, context)
        completePending()
        context.fireChannelInactive()
    }

    package func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let events = unwrapInboundIn(data).withUnsafeReadableBytes { session.receive($0) }
        handle(events, context)
    }

    package func channelReadComplete(context: ChannelHandlerContext) {
        // The handshake and the end are read here, also while no handler above wants to read.
        if session.state == .handshaking || closing != nil { context.read() }
        context.fireChannelReadComplete()
    }

    /// Takes the end of the peer's stream where half-closure is allowed.
    package func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if case ChannelEvent.inputClosed = event { handle(session.receiveEnd(), context) }
        context.fireUserInboundEventTriggered(event)
    }

    /// Keeps plaintext until it is flushed.
    package func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        guard closing == nil, session.state != .closed else {
            promise?.fail(ChannelError.ioOnClosedChannel)
            return
        }
        waiting.append((unwrapOutboundIn(data), promise))
    }

    package func flush(context: ChannelHandlerContext) {
        waiting.mark()
        sendWaiting(context)
    }

    /// Says close_notify, ends our stream, and closes once the peer has ended its own.
    package func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
        guard mode == .all else {
            if mode == .output {
                session.close()
                sendCiphertext(context)
            }
            context.close(mode: mode, promise: promise)
            return
        }
        if let promise { closePromises.append(promise) }
        switch closing {
        case .waitingForPeer: break
        case .done: closeNow(context)
        case nil: beginClosing(context)
        }
    }

    private func start(_ context: ChannelHandlerContext) {
        handle(session.start(), context)
        context.read()
    }

    private func handle(_ events: [TLSEvent], _ context: ChannelHandlerContext) {
        // Send an alert before the handlers above react. Send the end of the handshake together with the first data.
        if case .handshakeCompleted? = events.first {} else { sendCiphertext(context) }
        for event in events {
            switch event {
            case .handshakeCompleted(let handshake):
                context.fireUserInboundEventTriggered(handshake)
                sendWaiting(context)
            case .received(let bytes):
                // After a close, no data is wanted.
                if closing == nil {
                    context.fireChannelRead(wrapInboundOut(context.channel.allocator.buffer(bytes: bytes)))
                }
            case .inputClosed(let end):
                context.fireUserInboundEventTriggered(end)
                if closing == nil, end == .closeNotify { beginClosing(context) }
                closeNow(context)
            case .failed(let failure):
                failWaiting(failure)
                context.fireErrorCaught(failure)
                closeNow(context)
            }
        }
    }

    private func beginClosing(_ context: ChannelHandlerContext) {
        waiting.mark()
        sendWaiting(context)
        failWaiting(ChannelError.ioOnClosedChannel)
        let wasEstablished = session.state == .established
        session.close()
        let sent = context.eventLoop.makePromise(of: Void.self)
        sendCiphertext(context, [sent])
        guard wasEstablished, session.state == .closing, context.channel.isActive else { return closeNow(context) }
        let loop = context.eventLoop.assumeIsolated()
        closing = .waitingForPeer(loop.scheduleTask(in: closeTimeout) { self.closeNow(context) })
        sent.futureResult.assumeIsolated().whenSuccess {
            if case .waitingForPeer = self.closing { context.close(mode: .output, promise: nil) }
        }
        context.read()
    }

    private func closeNow(_ context: ChannelHandlerContext) {
        guard finishClosing() || !closePromises.isEmpty else { return }
        context.close(promise: Self.merged(takeClosePromises()))
    }

    private func takeClosePromises() -> [EventLoopPromise<Void>] {
        defer { closePromises = [] }
        return closePromises
    }

    /// Completes all that waits for a channel that is gone.
    private func completePending() {
        finishClosing()
        for promise in takeClosePromises() { promise.succeed() }
        failWaiting(ChannelError.ioOnClosedChannel)
    }

    /// Ends the wait for the peer; false when closing was complete before.
    @discardableResult
    private func finishClosing() -> Bool {
        switch closing {
        case .done: return false
        case .waitingForPeer(let deadline): deadline.cancel()
        case nil: break
        }
        closing = .done
        return true
    }

    private func sendWaiting(_ context: ChannelHandlerContext) {
        guard session.state == .established else { return }
        var promises: [EventLoopPromise<Void>] = []
        while waiting.hasMark, let next = waiting.popFirst() {
            do {
                try next.bytes.withUnsafeReadableBytes { try session.send($0) }
                if let promise = next.promise { promises.append(promise) }
            } catch {
                next.promise?.fail(error)
            }
        }
        sendCiphertext(context, promises)
    }

    private func sendCiphertext(_ context: ChannelHandlerContext, _ promises: [EventLoopPromise<Void>] = []) {
        let bytes = session.withCiphertext { $0.isEmpty ? nil : context.channel.allocator.buffer(bytes: $0) }
        guard let bytes else {
            for promise in promises { promise.succeed() }
            return
        }
        context.writeAndFlush(wrapOutboundOut(bytes), promise: Self.merged(promises))
    }

    private static func merged(_ promises: [EventLoopPromise<Void>]) -> EventLoopPromise<Void>? {
        for other in promises.dropFirst() { promises.first?.futureResult.cascade(to: other) }
        return promises.first
    }

    private func failWaiting(_ error: any Error) {
        while let next = waiting.popFirst() { next.promise?.fail(error) }
    }
}
