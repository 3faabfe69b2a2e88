import Foundation
import OpenSSL

/// One turn of the client's thread: read all that has arrived, let readers handle it, write what is due.
extension Connection {
    /// Packets read in a turn, so that writing and deadlines are not forgotten in a flood.
    private static let packetLimit = 1_000

    /// Called when no job is left: sends what is due, and returns what to wait for.
    func idle() -> ClientThread.Wait {
        let now = ContinuousClock.now
        perform(state.tick(at: now))
        supervise(at: now)
        pump()
        flush()
        if state.phase == .draining, holding.isEmpty, !publishes.hasPublishers, handle?.wantsWrite == false {
            perform(state.drained(at: now))
        }
        let deadlines = [state.deadline, supervision?.deadline(oldestPublish: oldestPublish, heldSince: heldSince)]
        // Messages with QoS 0 leave their place as soon as they are written.
        let hasMore = canPublish && publishes.hasNext && holding.isEmpty && handle?.wantsWrite == false
        return ClientThread.Wait(
            descriptor: leavingSocket ?? handle?.socket,
            events: awaitedEvents,
            deadline: hasMore || hasUnread && holding.isEmpty ? now : deadlines.compactMap(\.self).min()
        )
    }

    /// Since when the oldest message could have been acknowledged.
    private var oldestPublish: ContinuousClock.Instant? { publishes.oldest.map { max($0, releasedAt ?? $0) } }

    private var awaitedEvents: Int16 {
        switch state.phase {
        case .connecting: Int16(POLLOUT)
        // The library wants to write CONNECT all the time during the handshake, which needs to read.
        case .awaitingConnack where !isSecured: Int16(POLLIN)
        case .awaitingConnack, .open, .draining:
            holding.isEmpty ? Int16(POLLIN) | (handle?.wantsWrite == true ? Int16(POLLOUT) : 0) : 0
        case .leaving: Int16(POLLIN)
        case .disconnected, .ended: 0
        }
    }

    /// This connection's own client of TLS; nil without TLS.
    var tls: ExternalTLSClient? { if case .tls(let client, _) = configuration.endpoint { client } else { nil } }

    /// Whether TLS stands, or is not needed.
    var isSecured: Bool { tls?.isEstablished ?? true }

    /// The sleep has ended, with these events of poll(2) for the socket.
    func woken(_ events: Int16) {
        let isBroken = events & (Int16(POLLERR) | Int16(POLLHUP)) != 0
        let isReadable = isBroken || hasUnread || events & Int16(POLLIN) != 0
        switch state.phase {
        case .connecting: if events != 0 { checkReached() }
        case .awaitingConnack, .open, .draining:
            if !holding.isEmpty {
                if isBroken { lost(reason(for: .success)) }
            } else if isReadable {
                read()
            }
        case .leaving: if isReadable { readRemains() }
        case .disconnected, .ended: break
        }
    }

    /// The socket is connected, or not to be.
    private func checkReached() {
        guard let handle, let socket = handle.socket else { return lost(unreachable("the connection was closed")) }
        var error: Int32 = 0
        var size = socklen_t(MemoryLayout<Int32>.size)
        getsockopt(socket, SOL_SOCKET, SO_ERROR, &error, &size)
        // With TLS the library has tried to write by now, and so may have taken the error of the socket.
        if error == 0, dialError == ECONNREFUSED { error = dialError }
        guard error == 0 else { return lost(unreachable(String(cString: strerror(error)), error)) }
        state.reached(at: .now)
        guard !isSecured else { return }
        // libmosquitto up to 2.0 continues the TLS handshake only when it reads, from 2.1 on also when it writes.
        let status = handle.read().status
        check(status.isFailure ? status : handle.write())
    }

    private func read() {
        guard let handle else { return }
        var status = MosquittoStatus.success
        hasUnread = false
        for count in 1... {
            let isEmpty: Bool
            (status, isEmpty) = handle.read()
            // CONNACK says how to go on.
            if status.isFailure || isEmpty || handle.socket == nil || session == nil { break }
            // Brokers send more than Receive Maximum allows, and MQTT 3.1.1 has no such limit.
            if count == Self.packetLimit || handle.messageCount >= configuration.maximumInFlight {
                hasUnread = true
                break
            }
        }
        apply(handle.takeEvents())
        guard self.handle === handle else { return }
        check(status)
        if self.handle === handle, session == nil, !status.wouldBlock { checkEndOfHandshake(handle) }
    }

    /// The library takes an end of the connection during the TLS handshake for a handshake that goes on (up to 2.0.11).
    private func checkEndOfHandshake(_ handle: MosquittoHandle) {
        guard let socket = handle.socket else { return }
        var byte: UInt8 = 0
        let count = recv(socket, &byte, 1, Int32(MSG_PEEK) | Int32(MSG_DONTWAIT))
        if count == 0 || count < 0 && errno != EAGAIN && errno != EINTR { lost(reason(for: .success)) }
    }

    /// Ends the connection if a call has failed, or the library has closed the socket.
    private func check(_ status: MosquittoStatus) {
        if status.isFailure || handle?.socket == nil { lost(reason(for: status)) }
    }

    private func flush() {
        guard let handle, leavingSocket == nil, holding.isEmpty, isSecured, handle.wantsWrite else { return }
        switch state.phase {
        case .awaitingConnack, .open, .draining: break
        default: return
        }
        let status = handle.write()
        apply(handle.takeEvents())
        if self.handle === handle { check(status) }
    }

    private func supervise(at now: ContinuousClock.Instant) {
        guard supervision != nil, let handle, leavingSocket == nil else { return }
        if let reason = supervision?.verdict(at: now, oldestPublish: oldestPublish, heldSince: heldSince) {
            return lost(reason)
        }
        if supervision?.takeKeepAlive(at: now) == true { check(handle.keepAlive()) }
    }

    /// After DISCONNECT, what the broker still sends is read and dropped until it closes the connection.
    private func readRemains() {
        guard let leavingSocket else { return }
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = recv(leavingSocket, &buffer, buffer.count, Int32(MSG_DONTWAIT))
            if count < 0, errno == EAGAIN || errno == EINTR { return }
            if count <= 0 { return lost(MQTTDisconnectReason(.requested, "The client was told to end.")) }
        }
    }

    private func apply(_ events: [MosquittoEvent]) {
        var touched: Set<Int> = []
        var answers: [(identifier: UInt16, codes: [MQTTReasonCode])] = []
        for event in events {
            switch event {
            case .connected(let code, let session): acknowledged(code, session)
            case .message(var message, let identifiers):
                message.connection = connections
                for id in registry.recipients(of: message, identifiers: identifiers) {
                    registry.members[id]?.mailbox.append(message)
                    touched.insert(id)
                }
            case .published(let identifier, let reason): published(identifier, reason)
            case .subscribed(let identifier, let codes): answers.append((identifier, codes))
            case .disconnected(let reason): disconnectReason = reason
            }
        }
        for id in touched {
            guard let mailbox = registry.members[id]?.mailbox else { continue }
            if mailbox.isHolding {
                holding.insert(id)
                heldSince = heldSince ?? .now
            }
            mailbox.wake()
        }
        // A refusal takes nothing back that came with it.
        for answer in answers { subscribed(answer.identifier, answer.codes) }
    }

    /// CONNACK.
    private func acknowledged(_ code: UInt8, _ granted: MQTTSession) {
        guard code == 0 else {
            let reason = isV5 ? MQTTReasonCode(rawValue: code) : MQTTReasonCode.connectReturnCode(code)
            return lost(MQTTDisconnectReason(.refused, "The broker refuses the client: \(reason).", reason: reason))
        }
        connections += 1
        var granted = granted
        granted.number = connections
        session = granted
        supervision = Supervision(configuration, keepAlive: granted.keepAlive, at: .now)
        publishes.connected(window: min(configuration.maximumInFlight, granted.receiveMaximum))
        subscribeAll(isResumed: granted.isResumed)
        perform(state.accepted(granted, at: .now))
    }
}
