import Bridge
import MQTT
import OpenSSL
import Secrets

extension FileConfiguration {
    /// The configured broker; nil when the bridge is to run its own.
    var brokerURL: BrokerURL? { given(\.mqttURL).flatMap { BrokerURL($0) } }

    var topics: Topics {
        Topics(base: self[\.mqttBaseTopic], discoveryPrefix: self[\.homeAssistantPrefix])
    }

    /// How the bridge and the commands beside it connect to a broker; a client id that is configured comes first.
    func connection(to broker: BrokerURL, clientID: String = "") throws -> MQTTConfiguration {
        var result = MQTTConfiguration(
            endpoint: try endpoint(broker),
            clientID: given(\.mqttClientID) ?? clientID,
            userName: given(\.mqttUserName),
            password: given(\.mqttPassword).map { Secret($0) }
        )
        result.keepAlive = .seconds(self[\.mqttKeepAlive])
        result.protocolVersion = MQTTProtocolVersion(rawValue: self[\.mqttProtocol]) ?? .v5
        return result
    }

    private func endpoint(_ broker: BrokerURL) throws -> MQTTEndpoint {
        switch broker {
        case .tcp(let host, let port): return .tcp(host: host, port: port)
        case .unix(let path): return .unixSocket(path: path)
        case .tls(let host, let port):
            let authority = given(\.mqttCA).map { TrustPolicy.authority(file: $0, commonName: nil) }
            do {
                return try .tls(host: host, port: port, trust: authority ?? .system, identity: try identity())
            } catch {
                throw CommandFailure(.configuration, "TLS to the broker can't be set up: \(error)")
            }
        }
    }

    private func identity() throws -> TLSIdentity? {
        let certificate = self[\.mqttCertificate]
        let key = self[\.mqttKey]
        if certificate.isEmpty && key.isEmpty { return nil }
        return try TLSIdentity(certificateFile: certificate, keyFile: key)
    }
}
