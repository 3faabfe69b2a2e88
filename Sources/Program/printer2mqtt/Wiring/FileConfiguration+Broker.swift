import Bridge
import MQTT
import OpenSSL
import StoredSettings

extension FileConfiguration {
    /// The configured broker; nil when the bridge is to run its own.
    var brokerURL: BrokerURL? {
        let text = self[ConfigKeys.mqttURL]
        return text.isEmpty ? nil : BrokerURL(text)
    }

    var topics: Topics {
        Topics(base: self[ConfigKeys.mqttBaseTopic], discoveryPrefix: self[ConfigKeys.homeAssistantPrefix])
    }

    /// How the bridge and the commands beside it connect to a broker; a client id that is configured comes first.
    ///
    /// - Throws: ``CommandFailure`` when TLS can't be set up.
    func connection(to broker: BrokerURL, clientID: String = "") throws -> MQTTConfiguration {
        let userName = self[ConfigKeys.mqttUserName]
        let password = self[ConfigKeys.mqttPassword]
        let givenID = self[ConfigKeys.mqttClientID]
        var result = MQTTConfiguration(
            endpoint: try endpoint(broker),
            clientID: givenID.isEmpty ? clientID : givenID,
            userName: userName.isEmpty ? nil : userName,
            password: password.isEmpty ? nil : MQTTPassword(password)
        )
        result.keepAlive = .seconds(self[ConfigKeys.mqttKeepAlive])
        result.protocolVersion = MQTTProtocolVersion(rawValue: self[ConfigKeys.mqttProtocol]) ?? .v5
        return result
    }

    private func endpoint(_ broker: BrokerURL) throws -> MQTTEndpoint {
        switch broker {
        case .tcp(let host, let port): return .tcp(host: host, port: port)
        case .unix(let path): return .unixSocket(path: path)
        case .tls(let host, let port):
            let authority = self[ConfigKeys.mqttCA]
            let trust: TrustPolicy = authority.isEmpty ? .system : .authority(file: authority, commonName: nil)
            do {
                return try .tls(host: host, port: port, trust: trust, identity: try identity())
            } catch {
                throw CommandFailure(.configuration, "TLS to the broker can't be set up: \(error)")
            }
        }
    }

    private func identity() throws -> TLSIdentity? {
        let certificate = self[ConfigKeys.mqttCertificate]
        let key = self[ConfigKeys.mqttKey]
        if certificate.isEmpty && key.isEmpty { return nil }
        return try TLSIdentity(certificateFile: certificate, keyFile: key)
    }
}
