import Bridge
import Foundation
import MQTT
import OpenSSL

/// Why there is no connection to the broker, as exactly as it can be found out.
struct BrokerFailure {
    let broker: BrokerURL
    let configuration: MQTTConfiguration
    let reason: MQTTDisconnectReason

    func finding() async -> Finding {
        var values = ["broker": broker.description, "error": reason.message, "now": Date().formatted(.iso8601)]
        values["user"] = configuration.userName ?? "(anonymous)"
        values["advice"] = ConnectionAdvice(for: configuration).text(for: reason)
        if let failure = tlsFailure {
            values["issuer"] = failure.certificate?.issuer ?? "an unknown authority"
            values["name"] = failure.certificate?.commonName ?? failure.certificate?.subject ?? "no name"
            let date = failure.detail == .expired ? failure.certificate?.notAfter : failure.certificate?.notBefore
            values["date"] = date?.formatted(.iso8601) ?? "an unknown date"
        }
        return Finding(await situation(), values)
    }

    private func situation() async -> Situation {
        switch reason.code {
        case .nameNotResolved: return .brokerNameUnknown
        case .unreachable: return .brokerUnreachable
        case .refused where reason.reason == .badUserNameOrPassword || reason.reason == .notAuthorized:
            return .loginRefused
        case .tlsFailed: return ofTLS
        case .timeout: return await speaksTLS() ? .brokerExpectsTLS : .brokerSilent
        default:
            if tlsFailure?.detail == .refused { return .certificateWanted }
            return await speaksTLS() ? .brokerExpectsTLS : .brokerFailed
        }
    }

    private var ofTLS: Situation {
        switch tlsFailure?.detail {
        case .expired?: .certificateExpired
        case .notYetValid?: .certificateNotYetValid
        case .otherHost?: .certificateOtherName
        case .unknownIssuer?: .certificateUnknownIssuer
        case .refused?: .certificateWanted
        case .notTLS?: .brokerWithoutTLS
        default: .brokerFailed
        }
    }

    private var tlsFailure: TLSFailure? {
        if case .tls(let client, _) = configuration.endpoint { client.failure } else { nil }
    }

    /// Whether the port that was used without TLS speaks TLS; no password is sent to find out.
    private func speaksTLS() async -> Bool {
        guard case .tcp(let host, let port) = broker, let client = try? ExternalTLSClient(host: host, trust: .any) else {
            return false
        }
        var attempt = configuration
        attempt.endpoint = .tls(client, port: port)
        (attempt.userName, attempt.password) = (nil, { nil })
        try? await MQTTClient.withConnection(attempt) { _ in }
        return client.isEstablished
    }
}
