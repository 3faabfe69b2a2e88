import Foundation
import Logging
import OpenSSL
import Platform

extension Connection {
    func perform(_ actions: [ConnectionState.Action]) {
        for action in actions {
            switch action {
            case .lookUp: lookUp()
            case .dial(let address): dial(address)
            case .report(let event): report(event)
            case .disconnect(let reason): leave(reason)
            case .close: close()
            case .finish: currentRun?.finished.resume(with: currentRun?.failure.map(Result.failure) ?? .success(()))
            }
        }
    }

    func lost(_ reason: MQTTDisconnectReason) { perform(state.lost(reason, at: .now)) }

    private func lookUp() {
        guard let (host, _) = configuration.endpoint.address else {
            if case .unixSocket(let path) = configuration.endpoint { perform(state.resolved([path], at: .now)) }
            return
        }
        if IPLiteral(host) != nil { return perform(state.resolved([host], at: .now)) }
        // A look-up may outlast its attempt and then serves the next one; a second look-up would need a second thread.
        guard !isLookingUp else { return }
        do throws(SystemFailure) {
            // The system's resolver blocks while a name server is silent.
            try startThread { [weak self] in
                let result = Result { () throws(HostLookup.Failure) in
                    try HostLookup.addresses(of: host, \.numericAddress)
                }
                self?.onThread { connection in
                    connection.isLookingUp = false
                    connection.lookedUp(host, result)
                }
            }
            isLookingUp = true
        } catch {
            lost(MQTTDisconnectReason(.nameNotResolved, "The name “\(host)” cannot be looked up (\(error))."))
        }
    }

    private func lookedUp(_ host: String, _ result: Result<[String], HostLookup.Failure>) {
        switch result {
        case .success(let addresses): perform(state.resolved(addresses, at: .now))
        case .failure(let failure) where state.phase == .connecting:
            lost(MQTTDisconnectReason(.nameNotResolved, "The name “\(host)” is not found (\(failure.reason))."))
        case .failure: break
        }
    }

    private func dial(_ address: String) {
        do throws(MQTTError) {
            let handle = try MosquittoHandle(configuration)
            link = Link(handle: handle)
            let status = handle.connect(to: address, port: configuration.endpoint.address?.port ?? 0)
            link?.dialError = status.systemError
            if status.isFailure { lost(unreachable("\(status)", status.systemError)) }
        } catch {
            lost(MQTTDisconnectReason(.invalidConfiguration, error.message))
        }
    }

    private func report(_ event: MQTTConnectionEvent) {
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
        // Sending DISCONNECT would first acknowledge messages that readers are still handling.
        guard let link, !link.isHeld, link.handle.leave(reason) else { return lost(.requested) }
    }

    private func close() {
        let publishes = link?.accepted?.publishes
        link = nil
        if !configuration.cleanStart { for member in registry.members.values { member.mailbox.forgetUnhandled() } }
        let error = MQTTError(.connectionLost, "The connection ended before the broker answered.")
        for promise in publishes?.promises ?? [] { promise(.failure(error)) }
    }

    /// What OpenSSL or the trust policy found wrong; nil if nothing, or without TLS.
    private var tlsFailure: MQTTDisconnectReason? {
        tls?.failure.map { MQTTDisconnectReason(.tlsFailed, "TLS with the broker failed (\($0.message)).") }
    }

    /// Why an attempt failed before TCP was connected, with the `errno` of the socket.
    ///
    /// The library begins the TLS handshake at once, so that a reset may be the broker's answer to that, or to CONNECT.
    func unreachable(_ problem: String, _ code: Int32 = 0) -> MQTTDisconnectReason {
        if tls?.isEstablished == true { return connectRefused }
        if !isSecured, tlsFailure != nil || [ECONNRESET, EPIPE].contains(code) { return handshakeEnded }
        return MQTTDisconnectReason(.unreachable, "The broker cannot be reached (\(problem)).")
    }

    private var handshakeEnded: MQTTDisconnectReason {
        tlsFailure ?? MQTTDisconnectReason(.tlsFailed, "The broker closed the connection during the TLS handshake.")
    }

    /// Why the connection ended, when the library or the socket reports it.
    func reason(for status: MosquittoStatus) -> MQTTDisconnectReason {
        if let code = link?.disconnectReason {
            return MQTTDisconnectReason(.closedByBroker, "The broker ended the connection: \(code).", reason: code)
        }
        if !isSecured { return handshakeEnded }
        if status.isKeepAlive {
            return MQTTDisconnectReason(.keepAliveTimeout, "The broker was silent for longer than keep-alive allows.")
        }
        if status.isProtocolError {
            return MQTTDisconnectReason(.protocolError, "The broker breaks the protocol (\(status)).")
        }
        if link?.accepted != nil {
            return MQTTDisconnectReason(.connectionLost, "The connection to the broker broke.")
        }
        return connectRefused
    }

    private var connectRefused: MQTTDisconnectReason {
        let problem = "The broker closed the connection instead of answering CONNECT."
        return tlsFailure ?? MQTTDisconnectReason(.closedOnConnect, problem)
    }
}

extension addrinfo {
    fileprivate var numericAddress: String? {
        var text = [CChar](repeating: 0, count: Int(NI_MAXHOST))
        guard getnameinfo(ai_addr, ai_addrlen, &text, socklen_t(text.count), nil, 0, NI_NUMERICHOST) == 0 else {
            return nil
        }
        return String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }
}
