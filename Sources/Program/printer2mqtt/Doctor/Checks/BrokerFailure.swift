import Bridge
import Foundation
import MQTT

/// Why there is no connection to the broker, as exactly as it can be found out.
struct BrokerFailure {
    let broker: BrokerURL
    let configuration: MQTTConfiguration
    let reason: MQTTDisconnectReason

    func finding() async -> Finding {
        var values = ["broker": broker.description, "error": reason.message, "now": Date().formatted(.iso8601)]
        values["client"] = configuration.clientID
        values["user"] = configuration.userName ?? "(anonymous)"
        values["advice"] = configuration.advice(for: reason)
        if let failure = reason.tlsFailure {
            values["issuer"] = failure.certificate?.issuer ?? "an unknown authority"
            values["name"] = failure.certificate?.commonName ?? failure.certificate?.subject ?? "no name"
            let date = failure.detail == .expired ? failure.certificate?.notAfter : failure.certificate?.notBefore
            values["date"] = date?.formatted(.iso8601) ?? "an unknown date"
        }
        return Finding(await situation(), values)
    }

    private func situation() async -> Situation {
        if endsAfterHandshake { return .certificateWanted }
        switch reason.code {
        case .nameNotResolved: return .brokerNameUnknown
        case .unreachable: return .brokerUnreachable
        case .sessionExists: return .clientIDReplaced
        case .refused where reason.reason == .badUserNameOrPassword || reason.reason == .notAuthorized:
            return configuration.userName == nil ? .loginMissing : .loginRefused
        case .tlsFailed:
            if let known = ofTLS { return known }
            return await speaksMQTT() ? .brokerWithoutTLS : .brokerFailed
        case .timeout: return await speaksTLS() ? .brokerExpectsTLS : .brokerSilent
        default:
            return await speaksTLS() ? .brokerExpectsTLS : .brokerFailed
        }
    }

    /// With TLS 1.3 a broker refuses a client's certificate, or its absence, after the client's handshake is complete
    /// (RFC 8446, section 4.4.2.4), and the alert may be lost when the broker resets the connection.
    private var endsAfterHandshake: Bool { reason.hadTLS && reason.code == .closedOnConnect }

    private var ofTLS: Situation? {
        switch reason.tlsFailure?.detail {
        case .expired?: .certificateExpired
        case .notYetValid?: .certificateNotYetValid
        case .otherHost?: .certificateOtherName
        case .unknownIssuer?: .certificateUnknownIssuer
        case .refused?: .certificateWanted
        case .notTLS?: .brokerWithoutTLS
        default: nil
        }
    }

    /// Whether the port that was used without TLS speaks TLS; no password is sent to find out.
    private func speaksTLS() async -> Bool {
        guard case .tcp(let host, let port) = broker, let client = try? ExternalTLSClient(host: host, trust: .any)
        else {
            return false
        }
        let reason = await attempt(.tls(client, port: port))
        return reason?.hadTLS ?? true
    }

    /// Whether the port that was used with TLS is a broker's without TLS.
    private func speaksMQTT() async -> Bool {
        guard case .tls(let host, let port) = broker else { return false }
        let reason = await attempt(.tcp(host: host, port: port))
        return reason == nil || reason?.code == .refused
    }

    /// Connects without user and password; nil if the broker accepts that.
    private func attempt(_ endpoint: MQTTEndpoint) async -> MQTTDisconnectReason? {
        do { try await MQTTClient.withConnection(configuration.anonymous(at: endpoint)) { _ in } } catch let reason
            as MQTTDisconnectReason
        {
            return reason
        } catch {
            return MQTTDisconnectReason(.protocolError, "\(error)")
        }
        return nil
    }
}

extension MQTTConfiguration {
    /// The same without user and password, and without a session: for attempts that only look at the answer.
    func anonymous(at endpoint: MQTTEndpoint) -> MQTTConfiguration {
        var configuration = self
        configuration.endpoint = endpoint
        (configuration.userName, configuration.password) = (nil, { nil })
        (configuration.cleanStart, configuration.sessionExpiry, configuration.resumesSession) = (true, .zero, true)
        return configuration
    }
}
