import Foundation
import Logging
import OpenSSL

/// The socket of the present attempt: libmosquitto is called when it is ready, and never otherwise.
extension MQTTConnection {
    private var usesTLS: Bool { configuration.endpoint.context != nil }

    /// Begins an attempt.
    func open(_ address: String, port: Int) {
        isEstablished = false
        attempt += 1
        (lastComplaint, ending) = (nil, nil)
        do {
            let handle = try MosquittoHandle(configuration)
            self.handle = handle
            link = .connecting
            let status = handle.connect(to: address, port: port, keepAlive: configuration.keepAlive.wholeSeconds)
            guard !status.isFailure, let socket = handle.socket else { return settle(status) }
            watcher = SocketWatcher(
                watching: socket,
                on: loop.queue,
                readable: { [weak self] in self?.assumeIsolated { $0.readable() } },
                writable: { [weak self] in self?.assumeIsolated { $0.writable() } }
            )
            guard watcher != nil else {
                return close(MQTTDisconnectReason(.unreachable, "There is no file descriptor left."))
            }
            settle(status)
        } catch {
            close(MQTTDisconnectReason(.invalidConfiguration, error.message))
        }
    }

    /// Ends the attempt or the connection; everything that waited for it fails.
    func close(_ reason: MQTTDisconnectReason) {
        watcher?.cancel()
        (watcher, handle, keepAliveTimer, handshakeTimer) = (nil, nil, nil, nil)
        subscribing = [:]
        if ending == nil { ending = reason }
        if case .open = link {
            failPublishes(MQTTError(.connectionLost, "The connection ended before the broker answered."))
        }
        link = .none
        wake()
    }

    func disconnect(_ reason: MQTTReasonCode) {
        guard let handle else { return }
        handle.disconnect(reason)
        settle(.success)
    }

    private func readable() {
        guard let handle, let watcher, checkEstablished(watcher) else { return }
        if session == nil, watcher.isAtEnd() {
            // libmosquitto takes the end during a TLS handshake for 'not yet' and would be called for ever.
            return close(MQTTDisconnectReason(usesTLS ? .tlsFailed : .connectionLost, closedEarly))
        }
        // A bounded number of rounds, so that one busy client does not keep the others of the loop waiting.
        drain(handle)
        guard self.handle === handle, case .connecting = link, usesTLS else { return }
        // The handshake may be done, and CONNECT go out.
        watcher.watchWriting(handle.wantsWrite)
    }

    private func drain(_ handle: MosquittoHandle) {
        for _ in 0..<64 {
            let status = handle.read()
            settle(status)
            guard self.handle === handle, !status.isFailure, !status.wouldBlock else { return }
        }
        // Dispatch tells of a hang-up only once, be there data before it or not: don't rely on a second event.
        onLoop { [attempt] in
            if $0.attempt == attempt, let handle = $0.handle { $0.drain(handle) }
        }
    }

    private var closedEarly: String {
        if case .greeted = link { return "The broker closed the connection instead of answering CONNECT." }
        return "The broker closed the connection\(usesTLS ? " during the TLS handshake" : "")."
    }

    private func writable() {
        guard let handle, let watcher, checkEstablished(watcher) else { return }
        // TLS: the handshake goes on by reading. Later, a write that had to wait may have kept the library from reading
        // what OpenSSL has decrypted already, which the socket does not tell.
        if usesTLS { drain(handle) }
        guard self.handle === handle else { return }
        // During the handshake the library hides that CONNECT waits.
        let hasConnect = !usesTLS || handle.wantsWrite
        settle(handle.write())
        guard self.handle === handle, case .connecting = link, hasConnect else { return }
        if !handle.wantsWrite {
            link = .greeted
            deadline = .now + configuration.acknowledgeTimeout
            wake()
        } else if usesTLS {
            // Until the handshake is done, the library may say that it wants to write when it does not.
            watcher.watchWriting(false)
            handshakeTimer = LoopTimer(on: loop.queue, after: .milliseconds(100)) { [weak self] in
                self?.assumeIsolated { $0.watcher?.watchWriting(true) }
            }
        }
    }

    /// Whether TCP stands; a refusal ends the attempt.
    private func checkEstablished(_ watcher: SocketWatcher) -> Bool {
        guard !isEstablished else { return true }
        let error = watcher.takeError()
        guard error == 0 else {
            close(failure(String(cString: strerror(error)), isReset: error == ECONNRESET))
            return false
        }
        isEstablished = true
        return true
    }

    /// After every call of the library: what it reported, whether it failed, what is to be done next.
    func settle(_ status: MosquittoStatus) {
        guard let handle else { return }
        var status = status
        while true {
            let events = handle.takeEvents()
            for event in events {
                apply(event, of: handle)
                guard self.handle === handle else { return }
            }
            if status.isFailure || handle.socket == nil { return close(reason(for: status)) }
            guard session != nil else { break }
            let sent = pump(handle)
            if sent.isFailure { status = sent } else if events.isEmpty { break }
        }
        switch link {
        case .connecting: watcher?.watchWriting(!isEstablished || !usesTLS)
        default: watcher?.watchWriting(handle.wantsWrite)
        }
        if stop == .graceful, publishes.isEmpty { wake() }
    }

    private func apply(_ event: MosquittoEvent, of handle: MosquittoHandle) {
        switch event {
        case .connected(let code, let isResumed, let limits):
            guard code == 0 else {
                let reason =
                    configuration.protocolVersion == .v5
                    ? MQTTReasonCode(rawValue: code) : MQTTReasonCode.connectReturnCode(code)
                ending = MQTTDisconnectReason(.refused, "The broker refuses the client: \(reason).", reason: reason)
                return
            }
            accepted(MQTTSession(limits, isResumed: isResumed, configuration), handle)
        case .published(let id, let reason):
            answered(id, reason)
        case .subscribed(let id, let codes):
            subscribed(id, codes)
        case .message(let message, let identifiers):
            for mailbox in registry.recipients(of: message, identifiers: identifiers) { mailbox.deliver(message) }
        case .disconnected(let code, let isFromBroker):
            guard isFromBroker, let code = UInt8(exactly: code) else { return }
            let reason = MQTTReasonCode(rawValue: code)
            ending = MQTTDisconnectReason(
                .closedByBroker,
                "The broker ended the connection: \(reason).",
                reason: reason
            )
        case .complaint(let text):
            lastComplaint = text
            logger.trace("libmosquitto complains", metadata: ["complaint": "\(text)"])
        }
    }

    private func accepted(_ session: MQTTSession, _ handle: MosquittoHandle) {
        handle.stopListeningToComplaints()
        link = .open(session)
        publishes.window = min(configuration.maximumInFlight, session.receiveMaximum)
        if session.keepAlive > .zero {
            // A quarter of it: PINGREQ goes out within 1.25 keep-alives, and a broker waits for 1.5.
            let interval = max(session.keepAlive / 4, .seconds(1))
            keepAliveTimer = LoopTimer(on: loop.queue, after: interval, repeats: true, leeway: interval / 10) {
                [weak self] in self?.assumeIsolated { $0.settle($0.handle?.keepAlive() ?? .success) }
            }
        }
        opened = .now
        hub.send(.connected(session))
        subscribeAll(handle)
        wake()
    }

    /// An attempt that failed before CONNECT was out.
    private func failure(_ problem: String, isReset: Bool) -> MQTTDisconnectReason {
        usesTLS && isReset
            ? MQTTDisconnectReason(
                .tlsFailed,
                "The broker broke the TLS handshake off, is it a port for TLS? \(problem)."
            )
            : MQTTDisconnectReason(.unreachable, "The broker cannot be reached: \(problem).")
    }

    /// What OpenSSL or the trust policy said of the last handshake.
    private var tlsDetail: String? {
        guard let lastComplaint else { return nil }
        let isDistrust = lastComplaint.contains("certificate verify failed")
        if isDistrust, let failure = configuration.endpoint.context?.lastVerification?.failure {
            return failure.message
        }
        // "OpenSSL Error[0]: error:0A00010B:SSL routines::wrong version number"
        return lastComplaint.split(separator: ":").last.map { $0.trimmingCharacters(in: .whitespaces) }
    }

    private func reason(for status: MosquittoStatus) -> MQTTDisconnectReason {
        let detail = tlsDetail ?? "\(status)"
        switch (link, status.kind) {
        case (_, .tls): return MQTTDisconnectReason(.tlsFailed, "TLS with the broker failed: \(detail).")
        case (_, .keepAlive):
            return MQTTDisconnectReason(.keepAliveTimeout, "The broker was silent for longer than keep-alive allows.")
        case (_, .protocol): return MQTTDisconnectReason(.protocolError, "The broker breaks the protocol: \(status).")
        case (.connecting, _):
            return failure("\(status)", isReset: isEstablished)
        case (.greeted, _): return MQTTDisconnectReason(.connectionLost, closedEarly)
        default: return MQTTDisconnectReason(.connectionLost, "The connection to the broker broke.")
        }
    }
}

extension MQTTSession {
    /// Fills in what the specification says for limits that a CONNACK does not name.
    fileprivate init(_ limits: MosquittoLimits, isResumed: Bool, _ configuration: MQTTConfiguration) {
        self.init(
            isResumed: isResumed,
            maximumPacketSize: limits.maximumPacketSize.map(Int.init),
            receiveMaximum: Int(limits.receiveMaximum ?? .max),
            isRetainAvailable: limits.isRetainAvailable ?? true,
            maximumQoS: limits.maximumQoS.flatMap(MQTTQoS.init) ?? .exactlyOnce,
            keepAlive: limits.keepAlive.map { .seconds($0) } ?? .seconds(configuration.keepAlive.wholeSeconds),
            assignedClientID: limits.assignedClientID,
            hasSubscriptionIdentifiers: configuration.protocolVersion == .v5
                && limits.hasSubscriptionIdentifiers ?? true
        )
    }
}
