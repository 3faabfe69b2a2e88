import Foundation
import Logging
import OpenSSL

/// Doing what ``ConnectionState`` says.
extension Connection {
    func perform(_ actions: [ConnectionState.Action]) {
        for action in actions {
            switch action {
            case .lookUp: lookUp()
            case .dial(let address): dial(address)
            case .announce(let event): announce(event)
            case .disconnect(let reason): leave(reason)
            case .close: close()
            case .finish:
                finished?.resume()
                finished = nil
            }
        }
    }

    func lost(_ reason: MQTTDisconnectReason) { perform(state.lost(reason, at: .now)) }

    private func lookUp() {
        guard let (host, _) = configuration.endpoint.address else {
            if case .unixSocket(let path) = configuration.endpoint { perform(state.resolved([path], at: .now)) }
            return
        }
        if Resolver.isAddress(host) { return perform(state.resolved([host], at: .now)) }
        // A look-up that takes longer than an attempt serves the next one: another would only hold another thread.
        guard !isLookingUp else { return }
        isLookingUp = true
        Resolver.lookUp(host) { [weak self] result in
            self?.onThread { connection in
                connection.isLookingUp = false
                connection.lookedUp(host, result)
            }
        }
    }

    private func lookedUp(_ host: String, _ result: Result<[String], Resolver.Failure>) {
        switch result {
        case .success(let addresses): perform(state.resolved(addresses, at: .now))
        case .failure(let failure) where state.phase == .connecting:
            lost(MQTTDisconnectReason(.nameNotResolved, "The name “\(host)” is not found: \(failure.message)."))
        case .failure: break
        }
    }

    private func dial(_ address: String) {
        do throws(MQTTError) {
            let handle = try MosquittoHandle(configuration)
            self.handle = handle
            let status = handle.connect(to: address, port: configuration.endpoint.address?.port ?? 0)
            dialError = status.systemError
            if status.isFailure { lost(unreachable("\(status)", dialError)) }
        } catch {
            lost(MQTTDisconnectReason(.invalidConfiguration, error.message))
        }
    }

    private func announce(_ event: MQTTConnectionEvent) {
        let event = tls.map { event.with($0.failure, hadTLS: $0.isEstablished) } ?? event
        hub.send(event)
        let (message, reason, retry): (Logger.Message, MQTTDisconnectReason, Duration?)
        switch event {
        case .connected: return logger.debug("connected", metadata: ["broker": "\(configuration.endpoint)"])
        case .disconnected(let why, let pause): (message, reason, retry) = ("disconnected", why, pause)
        case .connectFailed(let why, let pause): (message, reason, retry) = ("cannot connect", why, pause)
        }
        logger.debug(
            message,
            metadata: [
                "broker": "\(configuration.endpoint)",
                "code": "\(reason.code.rawValue)",
                "reason": "\(reason.message)",
                "retry_in": "\(retry.map { "\($0)" } ?? "never")",
            ]
        )
    }

    /// Sends DISCONNECT, after the acknowledgements that wait.
    private func leave(_ reason: MQTTReasonCode) {
        guard let handle, let socket = handle.socket, holding.isEmpty else {
            // Sending DISCONNECT would first send the acknowledgements of messages that are still being handled.
            return lost(MQTTDisconnectReason(.requested, "The client was told to end."))
        }
        // The library may close the socket right after DISCONNECT. Closing with unread data sends RST, which can reach
        // the broker before it has read the acknowledgements; so a copy stays open until the broker closes.
        leavingSocket = dup(socket)
        handle.disconnect(reason)
        let status = handle.write()
        if handle.socket == nil, let leavingSocket { shutdown(leavingSocket, Int32(SHUT_WR)) }
        if status.isFailure { lost(MQTTDisconnectReason(.requested, "The client was told to end.")) }
    }

    private func close() {
        if let leavingSocket { Foundation.close(leavingSocket) }
        (handle, session, supervision, disconnectReason, leavingSocket) = (nil, nil, nil, nil, nil)
        hasUnread = false
        subscribing = [:]
        (holding, heldSince) = ([], nil)
        if !configuration.cleanStart { for member in registry.members.values { member.mailbox.forgetUnhandled() } }
        let error = MQTTError(.connectionLost, "The connection ended before the broker answered.")
        for promise in publishes.disconnected() { promise(.failure(error)) }
    }

    /// What OpenSSL or the trust policy found wrong; nil if nothing, or without TLS.
    private var tlsFailure: MQTTDisconnectReason? {
        tls?.failure.map { MQTTDisconnectReason(.tlsFailed, "TLS with the broker failed: \($0.message).") }
    }

    /// Why an attempt failed before the connection stood, with the `errno` of the socket.
    ///
    /// The library begins the TLS handshake at once, so that a reset may be the broker's answer to that.
    func unreachable(_ problem: String, _ code: Int32 = 0) -> MQTTDisconnectReason {
        if !isSecured, tlsFailure != nil || [ECONNRESET, EPIPE].contains(code) { return handshakeEnded }
        return MQTTDisconnectReason(.unreachable, "The broker cannot be reached: \(problem).")
    }

    private var handshakeEnded: MQTTDisconnectReason {
        let problem = "TLS with the broker failed: the broker closed the connection during the handshake."
        return tlsFailure ?? MQTTDisconnectReason(.tlsFailed, problem)
    }

    /// Why the connection ended, when the library or the socket reports it.
    func reason(for status: MosquittoStatus) -> MQTTDisconnectReason {
        if let code = disconnectReason {
            return MQTTDisconnectReason(.closedByBroker, "The broker ended the connection: \(code).", reason: code)
        }
        if !isSecured { return handshakeEnded }
        if status.isKeepAlive {
            return MQTTDisconnectReason(
                .keepAliveTimeout,
                "The broker was silent for longer than keep-alive allows."
            )
        }
        if status.isProtocolError {
            return MQTTDisconnectReason(.protocolError, "The broker breaks the protocol: \(status).")
        }
        guard session != nil else {
            let problem = "The broker closed the connection instead of answering CONNECT."
            return tlsFailure ?? MQTTDisconnectReason(.closedOnConnect, problem)
        }
        return MQTTDisconnectReason(.connectionLost, "The connection to the broker broke.")
    }
}
