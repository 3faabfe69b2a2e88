package import MQTT

/// What a person can do about a connection to the broker that failed or was lost.
extension MQTTConfiguration {
    /// What happened, and what to do.
    package func explanation(of reason: MQTTDisconnectReason) -> String { "\(reason.message) \(advice(for: reason))" }

    /// One or two sentences that name the settings to look at.
    package func advice(for reason: MQTTDisconnectReason) -> String {
        if let code = reason.reason, let advice = advice(for: code) { return advice }
        return switch reason.code {
        case .nameNotResolved: "Check the host name in mqtt.url, and the name server of this machine."
        case .unreachable: "Check the address and the port in mqtt.url, and that the broker runs."
        case .timeout:
            usesTLS
                ? "Check the address in mqtt.url, the network, and that the port is the broker's TLS port."
                : "Check the address in mqtt.url, the network, and whether the port expects TLS (mqtts://)."
        case .tlsFailed where reason.isPerhapsWithoutTLS:
            "Use the broker's TLS port, usually 8883, or write mqtt:// in mqtt.url if the port does not speak TLS."
        case .tlsFailed where reason.tlsFailure?.detail == .refused: Self.clientCertificate
        case .tlsFailed: "Check mqtt.ca, the certificate, this machine's clock, and that the port speaks TLS."
        case .refused: "Check mqtt.username and mqtt.password, and the broker's log."
        case .closedOnConnect where reason.hadTLS: "\(Self.clientCertificate) \(refusedConnect)"
        case .closedOnConnect: refusedConnect
        case .sessionExists:
            """
            The broker gives all clients of this user one client id (mosquitto: use_username_as_clientid), and each of them \
            disconnects the others: switch that off.
            """
        case .protocolError: "This is perhaps no MQTT broker. \(otherPort)"
        case .closedByBroker: "Look at the broker's log."
        case .connectionLost:
            """
            If this happens again and again, look at the broker's log: another client may use the client id \
            '\(clientID)', or a message may be larger than the broker accepts.
            """
        case .keepAliveTimeout, .acknowledgeTimeout: "The broker or the network hangs. Check both."
        case .readerTimeout: "Changes take too long to be saved. Check the disk of this machine."
        case .requested: "Nothing has to be done."
        case .invalidConfiguration: "Correct the setting."
        }
    }

    private var usesTLS: Bool { if case .tls = endpoint { true } else { false } }

    private static let clientCertificate =
        "The broker may require a client certificate: set mqtt.certificate and mqtt.key to one that the broker accepts."

    private var refusedConnect: String {
        protocolVersion == .v5
            ? "The broker may not speak MQTT 5: set mqtt.protocol to 3.1.1. \(otherPort)"
            : "The broker may refuse a retained will (mosquitto: retain_available). \(otherPort)"
    }

    private var otherPort: String {
        usesTLS ? "Or the port is not the broker's TLS port." : "Or the port expects TLS: use mqtts://."
    }

    private func advice(for code: MQTTReasonCode) -> String? {
        switch code {
        case .badUserNameOrPassword where userName == nil, .notAuthorized where userName == nil:
            "Set mqtt.username and mqtt.password."
        case .badUserNameOrPassword: "Check mqtt.username and mqtt.password."
        case .notAuthorized:
            """
            Check mqtt.username and mqtt.password, the broker's ACL, and whether the broker accepts the client id \
            '\(clientID)' (mqtt.client_id; mosquitto: clientid_prefixes).
            """
        case .unsupportedProtocolVersion: "Set mqtt.protocol to \(protocolVersion == .v5 ? "3.1.1" : "5")."
        case .clientIdentifierNotValid: "Set mqtt.client_id to an identifier that the broker accepts."
        case .sessionTakenOver:
            "Another client uses the client id '\(clientID)': stop that client, or give each its own mqtt.client_id."
        case .packetTooLarge: "Raise the broker's limit for packets (mosquitto: max_packet_size)."
        case .retainNotSupported: "Allow retained messages (mosquitto: retain_available)."
        case .qosNotSupported: "Allow QoS 1 (mosquitto: max_qos)."
        default: nil
        }
    }
}

extension MQTTDisconnectReason {
    /// Whether the port may be one without TLS: mosquitto closes such a connection and says nothing.
    fileprivate var isPerhapsWithoutTLS: Bool {
        guard let failure = tlsFailure else { return true }
        let isClosed = [.handshake, .closed].contains(failure.code) && failure.certificate == nil
        return failure.detail == .notTLS || isClosed && failure.detail == nil
    }
}
