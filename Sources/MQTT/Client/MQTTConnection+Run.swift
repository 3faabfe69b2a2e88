import Logging
import Metrics

/// The cycle of attempts, connections and pauses.
extension MQTTConnection {
    func connectUntilStopped() async {
        var schedule = ReconnectSchedule(configuration.reconnect)
        while stop == nil {
            (ending, opened, farewell) = (nil, nil, nil)
            let start = ContinuousClock.now
            await connect()
            figures?.connected(in: (opened ?? .now) - start, isAccepted: opened != nil)
            if let opened {
                logger.info("connected", metadata: ["broker": "\(configuration.endpoint)"])
                await stayConnected()
                figures?.disconnects.increment()
                let wasPushed = ending?.code == .connectionLost || ending?.reason == .sessionTakenOver
                let isTakeover = schedule.ended(after: .now - opened, wasPushed: wasPushed)
                report(schedule, isTakeover: isTakeover || ending?.reason == .sessionTakenOver, wasOpen: true)
            } else {
                schedule.failed()
                report(schedule, isTakeover: false, wasOpen: false)
            }
            let resume = ContinuousClock.now + nextPause
            await sleep(until: resume) { stop == nil }
        }
    }

    /// Tries the addresses of the broker one after the other; afterwards ``session`` or ``ending`` is set.
    private func connect() async {
        let end = ContinuousClock.now + configuration.connectTimeout
        let (addresses, port) = await addresses(until: end)
        for (index, address) in addresses.enumerated() {
            guard stop == nil else { break }
            deadline = .now + (end - .now) / (addresses.count - index)
            open(address, port: port)
            await sleep(until: deadline) { isConnecting && stop == nil }
            await sleep(until: deadline) { isGreeted && stop == nil }
            switch link {
            case .open: return
            case .connecting:
                close(timeout(isEstablished ? "does not complete the TLS handshake" : "does not answer"))
            case .greeted: close(timeout("accepts connections, but does not answer CONNECT"))
            case .none: break
            }
            if isEstablished { return }
        }
        if stop != nil { close(MQTTDisconnectReason(.requested, "The client was told to end.")) }
    }

    private var isConnecting: Bool { if case .connecting = link { true } else { false } }
    private var isGreeted: Bool { if case .greeted = link { true } else { false } }

    private func timeout(_ problem: String) -> MQTTDisconnectReason {
        stop == nil
            ? MQTTDisconnectReason(.timeout, "The broker \(problem).")
            : MQTTDisconnectReason(.requested, "The client was told to end.")
    }

    private func addresses(until end: ContinuousClock.Instant) async -> (addresses: [String], port: Int) {
        let (host, port): (String, Int)
        switch configuration.endpoint {
        case .unixSocket(let path): return ([path], 0)
        case .tcp(let name, let number), .tls(let name, let number, _): (host, port) = (name, number)
        }
        guard !Resolver.isAddress(host) else { return ([host], port) }
        // A look-up that did not end in time is not started a second time: it would only hold another thread.
        if !isLookingUp {
            (isLookingUp, lookUp) = (true, nil)
            Resolver.lookUp(host) { [self] result in
                onLoop {
                    ($0.isLookingUp, $0.lookUp) = (false, result)
                    $0.wake()
                }
            }
        }
        await sleep(until: end) { isLookingUp && stop == nil }
        switch lookUp {
        case .success(let addresses): return (addresses, port)
        case .failure(let failure):
            ending = MQTTDisconnectReason(.nameNotResolved, "The name “\(host)” is not found: \(failure.message).")
        case nil:
            ending = MQTTDisconnectReason(.nameNotResolved, "The name “\(host)” is not found: no answer in time.")
        }
        return ([], port)
    }

    private func stayConnected() async {
        await sleep { session != nil && stop == nil }
        guard session != nil else { return }
        let grace = ContinuousClock.now + min(configuration.shutdownGrace, .milliseconds(1_500))
        await sleep(until: grace) { session != nil && stop == .graceful && publishes.hasPublishers }
        guard session != nil else { return }
        let reason = MQTTDisconnectReason(.requested, "The client was told to end.")
        if configuration.publishesWillOnShutdown, !isV5 {
            // Without reason codes, only a connection that ends without DISCONNECT publishes the will.
            close(reason)
        } else {
            disconnect(configuration.publishesWillOnShutdown ? .disconnectWithWill : .success)
            let flushed = ContinuousClock.now + .milliseconds(300)
            await sleep(until: flushed) { session != nil }
            close(reason)
        }
        ending = reason
    }

    private func report(_ schedule: ReconnectSchedule, isTakeover: Bool, wasOpen: Bool) {
        var reason = ending ?? MQTTDisconnectReason(.unreachable, "The broker cannot be reached.")
        if isTakeover {
            reason.isTakeoverSuspected = true
            reason.message += " Another client seems to use the same identifier."
        }
        let retry = stop == nil ? schedule.pause(fraction: .random(in: 0...1)) : nil
        nextPause = retry ?? .zero
        hub.send(wasOpen ? .disconnected(reason, retryIn: retry) : .connectFailed(reason, retryIn: retry))
        let level: Logger.Level =
            switch reason.code {
            case .refused, .invalidConfiguration, .tlsFailed, .protocolError: .warning
            case .requested: .debug
            default: isTakeover ? .warning : wasOpen ? .info : .debug
            }
        logger.log(
            level: level,
            wasOpen ? "disconnected" : "cannot connect",
            metadata: [
                "broker": "\(configuration.endpoint)",
                "code": "\(reason.code.rawValue)",
                "reason": "\(reason.message)",
                "retry_in": "\(retry.map { "\($0)" } ?? "never")",
            ]
        )
    }
}
