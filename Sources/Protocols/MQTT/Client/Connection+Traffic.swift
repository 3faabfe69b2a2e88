import Foundation
import OpenSSL
import Platform

/// One turn of the client's thread: read all that has arrived, wake readers, write what is due.
extension Connection {
    /// The most packets read in one turn, so that a flood delays neither writing nor deadlines.
    private static let packetLimit = 1_000

    /// No job is left: sends what is due, and returns what to wait for.
    func idle() -> ClientThread.Wait {
        let now = ContinuousClock.now
        if link?.isHeld == true { state.waitForReaders(at: now) }
        perform(state.tick(at: now))
        supervise(at: now)
        pump()
        flush()
        if state.isDraining, isIdle, link?.accepted?.publishes.hasPublishers != true {
            perform(state.drained(at: now))
        }
        // Messages with QoS 0 leave their place as soon as they are written.
        let hasMore = canPublish && isIdle && link?.accepted?.publishes.hasNext == true
        let hasUnread = link?.hasUnread == true && link?.isHeld == false
        let oldest = link?.accepted?.oldestPublish
        let heldSince = link?.accepted?.heldSince
        // A client that leaves is not supervised.
        let accepted = state.phase == .leaving ? nil : link?.accepted
        let supervised = accepted?.deadlines.deadline(oldestPublish: oldest, heldSince: heldSince)
        let deadline = hasMore || hasUnread ? now : [state.deadline, supervised].compactMap(\.self).min()
        return ClientThread.Wait(descriptor: link?.handle.pollDescriptor, events: awaitedEvents, deadline: deadline)
    }

    /// Whether readers have handled all messages, and the library has written all packets.
    private var isIdle: Bool { link?.isHeld == false && link?.handle.wantsWrite == false }

    private var awaitedEvents: Int16 {
        switch state.phase {
        case .connecting: Int16(POLLOUT)
        // During the TLS handshake the library always wants to write CONNECT, but the handshake has to read.
        case .awaitingConnack where !isSecured: Int16(POLLIN)
        case .awaitingConnack, .open, .draining:
            link?.isHeld == true ? 0 : Int16(POLLIN) | (link?.handle.wantsWrite == true ? Int16(POLLOUT) : 0)
        case .leaving: Int16(POLLIN)
        case .disconnected, .ended: 0
        }
    }

    /// This connection's own client of TLS; nil without TLS.
    var tls: ExternalTLSClient? { if case .tls(let client, _) = configuration.endpoint { client } else { nil } }

    /// Whether the TLS handshake is complete; true without TLS.
    var isSecured: Bool { tls?.isEstablished ?? true }

    /// The sleep has ended, with these events of poll(2) for the socket.
    func woken(_ events: Int16) {
        let isBroken = events & (Int16(POLLERR) | Int16(POLLHUP)) != 0
        let isReadable = isBroken || link?.hasUnread == true || events & Int16(POLLIN) != 0
        switch state.phase {
        case .connecting: if events != 0 { checkReached() }
        case .awaitingConnack, .open, .draining:
            if link?.isHeld == true {
                if isBroken { lost(reason(for: .success)) }
            } else if isReadable {
                read()
            }
        case .leaving: if isReadable, link?.handle.hasBrokerClosed == true { lost(.requested) }
        case .disconnected, .ended: break
        }
    }

    /// Connecting the socket has succeeded or failed.
    private func checkReached() {
        guard let link, let socket = link.handle.socket else {
            return lost(unreachable("the connection was closed"))
        }
        var error: Int32 = 0
        var size = socklen_t(MemoryLayout<Int32>.size)
        getsockopt(socket, SOL_SOCKET, SO_ERROR, &error, &size)
        // With TLS the library has already tried to write, which may have cleared the error of the socket.
        if error == 0, link.dialError == ECONNREFUSED { error = link.dialError }
        guard error == 0 else { return lost(unreachable(SystemFailure(error).description, error)) }
        state.reached(at: .now)
        guard !isSecured else { return }
        // libmosquitto up to 2.0 continues the TLS handshake only when it reads, from 2.1 on also when it writes.
        let status = link.handle.read().status
        check(status.isFailure ? status : link.handle.write())
    }

    private func read() {
        guard let handle = link?.handle else { return }
        let isAccepted = link?.accepted != nil
        var status = MosquittoStatus.success
        link?.hasUnread = false
        for count in 1... {
            let isEmpty: Bool
            (status, isEmpty) = handle.read()
            // A CONNACK has to be applied before the next packet is read.
            if status.isFailure || isEmpty || handle.socket == nil || !isAccepted { break }
            // Brokers send more than Receive Maximum allows, and MQTT 3.1.1 has no such limit.
            if count == Self.packetLimit || handle.messageCount >= configuration.maximumInFlight {
                link?.hasUnread = true
                break
            }
        }
        apply(handle.takeEvents())
        guard link?.handle === handle else { return }
        check(status)
        if let link, link.handle === handle, link.accepted == nil, !status.wouldBlock { checkEndOfHandshake(handle) }
    }

    /// The library, up to 2.0.11, does not notice that the broker ends the connection during the TLS handshake.
    private func checkEndOfHandshake(_ handle: MosquittoHandle) {
        guard let socket = handle.socket else { return }
        var byte: UInt8 = 0
        let count = recv(socket, &byte, 1, Int32(MSG_PEEK) | Int32(MSG_DONTWAIT))
        if count == 0 || count < 0 && errno != EAGAIN && errno != EINTR { lost(reason(for: .success)) }
    }

    /// Ends the connection if a call has failed, or the library has closed the socket.
    private func check(_ status: MosquittoStatus) {
        if status.isFailure || link?.handle.socket == nil { lost(reason(for: status)) }
    }

    private func flush() {
        guard let handle = link?.handle, link?.isHeld == false, isSecured, handle.wantsWrite else { return }
        switch state.phase {
        case .awaitingConnack, .open, .draining: break
        default: return
        }
        let status = handle.write()
        apply(handle.takeEvents())
        if link?.handle === handle { check(status) }
    }

    private func supervise(at now: ContinuousClock.Instant) {
        guard let handle = link?.handle, let deadlines = link?.accepted?.deadlines, state.phase != .leaving
        else { return }
        let (oldest, heldSince) = (link?.accepted?.oldestPublish, link?.accepted?.heldSince)
        if let reason = deadlines.verdict(at: now, oldestPublish: oldest, heldSince: heldSince) {
            return lost(reason)
        }
        if link?.accepted?.deadlines.isKeepAliveDue(at: now) == true { check(handle.keepAlive()) }
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
            case .disconnected(let reason): link?.disconnectReason = reason
            }
        }
        for id in touched {
            guard let mailbox = registry.members[id]?.mailbox else { continue }
            if mailbox.isHolding { link?.accepted?.hold(id) }
            mailbox.wake()
        }
        // Last, so that a refusal does not drop messages that arrived before it.
        for answer in answers { subscribed(answer.identifier, answer.codes) }
    }

    /// CONNACK.
    private func acknowledged(_ code: UInt8, _ granted: MQTTSession) {
        guard code == 0 else {
            let reason = isV5 ? MQTTReasonCode(rawValue: code) : MQTTReasonCode.connectReturnCode(code)
            return lost(MQTTDisconnectReason(.refused, "The broker refuses the client: \(reason).", reason: reason))
        }
        if granted.isResumed, !configuration.resumesSession {
            let problem = "The broker already has a session for this client: it gives several clients one client id."
            return lost(MQTTDisconnectReason(.sessionExists, problem))
        }
        connections += 1
        var granted = granted
        granted.number = connections
        link?.accepted = Link.Accepted(
            session: granted,
            deadlines: ConnectionDeadlines(configuration, keepAlive: granted.keepAlive, at: .now),
            publishes: PublishQueue(
                limit: max(1, configuration.outgoingQueueLimit),
                window: min(configuration.maximumInFlight, granted.receiveMaximum)
            )
        )
        subscribeAll(isResumed: granted.isResumed)
        perform(state.accepted(granted, at: .now))
    }
}
