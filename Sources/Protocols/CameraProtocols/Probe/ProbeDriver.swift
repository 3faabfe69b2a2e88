import NIOCore
import NIOPosix
import OpenSSL
import Platform

/// Performs what a ``ProbeStateMachine`` says, on one event loop, with real sockets and clocks.
final class ProbeDriver<Conversation: StreamConversation> {
    typealias Machine = ProbeStateMachine<Conversation>

    private let loop: any EventLoop
    private let probe: StreamProbe
    private let host: String
    private let watcher: ((StreamPart) -> Void)?
    private let completion: (ProbeReport, CodedPicture?) -> Void
    private let ticket = Resolver.Ticket()
    private var machine: Machine
    /// Events that came while another one was being handled.
    private var queue: [Machine.Event] = []
    private var isHandling = false
    private var stagesTold = 0
    private var timers: [ProbeTimer: Scheduled<Void>] = [:]
    private var channel: (any Channel)?
    private var handler: ProbeHandler<Conversation>?
    /// The number of the attempt to connect; events of earlier attempts are ignored.
    private var attempt = 0
    private var isSecured = false
    private var hasTalked = false
    private var isClosing = false
    private var firstByte = FirstByteHandler()

    /// Runs `probe` on `loop`; calls `progress` after each stage, and `completion` once the connection is closed.
    ///
    /// If there is a `watcher`, the probe continues after the first picture.
    init(
        on loop: any EventLoop,
        probe: StreamProbe,
        conversation: Conversation,
        watcher: ((StreamPart) -> Void)? = nil,
        completion: @escaping (ProbeReport, CodedPicture?) -> Void
    ) {
        (self.loop, self.probe) = (loop, probe)
        host = conversation.settings.url.host
        self.watcher = watcher
        self.completion = completion
        machine = Machine(conversation, deadlines: probe.deadlines)
    }

    /// Performs the actions that an event causes; events that these actions cause come after it.
    func handle(_ event: Machine.Event) {
        loop.preconditionInEventLoop()
        guard !isHandling else { return queue.append(event) }
        isHandling = true
        defer { isHandling = false }
        var next: Machine.Event? = event
        while let event = next {
            for action in machine.handle(event, at: .now) { perform(action) }
            tellProgress()
            next = queue.isEmpty ? nil : queue.removeFirst()
        }
    }

    private func tellProgress() {
        guard let progress = probe.progress, machine.report.latencies.count > stagesTold else { return }
        stagesTold = machine.report.latencies.count
        progress(machine.report)
    }

    private func perform(_ action: ProbeAction) {
        switch action {
        case .resolve(let host, let port): resolve(host, port)
        case .connect(let address): connect(address)
        case .startTLS: startTLS()
        case .send(let text): send(WireText.bytes(of: text))
        case .sendFrame(let frame): send(frame)
        case .pass(let part): watcher?(part)
        case .setTimer(let timer, let duration):
            timers[timer]?.cancel()
            timers[timer] = loop.assumeIsolated().scheduleTask(in: TimeAmount(duration)) {
                self.handle(.deadline(timer, self.handler?.parser.unfinished))
            }
            if timer == .stage {
                firstByte.allow(machine.byteBudget)
                handler?.allow(Machine.messageBudget)
            }
        case .clearTimer(let timer): timers.removeValue(forKey: timer)?.cancel()
        case .close: close()
        case .finish(let report):
            (channel, handler) = (nil, nil)
            completion(report, machine.picture)
        }
    }

    private func send(_ bytes: [UInt8]) {
        hasTalked = true
        if let channel { channel.writeAndFlush(channel.allocator.buffer(bytes: bytes), promise: nil) }
    }

    private func resolve(_ host: String, _ port: Int) {
        Resolver.resolve(host, port: port, ticket: ticket, on: loop).assumeIsolated().whenComplete { result in
            switch result {
            case .success(let addresses): self.handle(.resolved(addresses))
            case .failure(let failure as HostLookup.Failure):
                let message = "the name cannot be resolved: \(failure.reason)"
                self.handle(.unresolved(message, failure.isSilence ? .resolverSilent : nil))
            case .failure(let error): self.handle(.unresolved("\(error)"))
            }
        }
    }

    private func connect(_ address: SocketAddress) {
        attempt += 1
        let number = attempt
        (isSecured, hasTalked, isClosing) = (false, false, false)
        // Closing ends an earlier attempt that has no answer yet.
        channel?.close(promise: nil)
        channel = nil
        let firstByte = FirstByteHandler()
        self.firstByte = firstByte
        let parts = NIOLoopBound((driver: self, firstByte: firstByte), eventLoop: loop)
        ClientBootstrap(group: loop)
            .connectTimeout(.hours(1))  // the state machine keeps the time
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    let (driver, firstByte) = parts.value
                    // The attempt may have been given up before it had a channel to close.
                    guard driver.attempt == number, !driver.isClosing else { throw CancellationError() }
                    let handler = ProbeHandler<Conversation>(firstByte: firstByte) { event in
                        if driver.attempt == number { driver.handle(event) }
                    }
                    (driver.channel, driver.handler) = (channel, handler)
                    try channel.syncOptions?.setOption(.tcpOption(.tcp_nodelay), value: 1)
                    // A server that has ended its side may still listen: the session is given back.
                    try channel.syncOptions?.setOption(.allowRemoteHalfClosure, value: true)
                    try channel.pipeline.syncOperations.addHandlers(firstByte, handler)
                }
            }
            .connect(to: address)
            .assumeIsolated()
            .whenComplete { result in
                guard self.attempt == number else { return }
                switch result {
                case .success: self.handle(.connected)
                case .failure(let error): self.handle(.notConnected(ConnectFailure(error)))
                }
            }
    }

    private func startTLS() {
        guard let channel else { return }
        do throws(TLSFailure) {
            let context = try TLSContext.shared(trust: probe.trust, maximumVersion: probe.newestTLS)
            let handler = try TLSHandler(
                context: context,
                host: host,
                trust: probe.trust,
                closeTimeout: probe.deadlines.closing
            )
            isSecured = true
            do {
                try channel.pipeline.syncOperations.addHandler(handler, position: .after(firstByte))
            } catch {
                // Only a channel that has just closed refuses a handler; its end is on the way.
            }
        } catch {
            handle(.tlsFailed(error, sawBytes: firstByte.hasSeenBytes))
        }
    }

    private func close() {
        ticket.cancel()
        isClosing = true
        guard let channel else { return handle(.closed) }
        firstByte.leave()
        channel.closeFuture.assumeIsolated().whenComplete { _ in self.handle(.closed) }
        // Closing with unread data would make the kernel reset the connection. So wait for the peer's end, as TLS does
        // after close_notify.
        guard hasTalked, !isSecured, Conversation.hasSession, channel.isActive else {
            return channel.close(promise: nil)
        }
        channel.close(mode: .output, promise: nil)
        let timeout = loop.assumeIsolated().scheduleTask(in: TimeAmount(probe.deadlines.closing)) {
            channel.close(promise: nil)
        }
        channel.closeFuture.assumeIsolated().whenComplete { _ in timeout.cancel() }
    }
}
