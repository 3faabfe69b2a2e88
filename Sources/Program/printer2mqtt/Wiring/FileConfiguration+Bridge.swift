import Bridge
import MQTT
import OpenSSL
import Relay
import Secrets
import WebInterface

/// What the bridge connects to, and what it serves.
extension FileConfiguration {
    /// Makes sure that a bridge would start with this configuration, as far as the configuration tells.
    ///
    /// Commands need less: the page's password, for example, may be given to the service alone.
    func checkForBridge() throws {
        _ = try webOptions
        if let brokerURL { _ = try connection(to: brokerURL) }
    }

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
                let identity = try given(\.mqttCertificate).map {
                    try TLSIdentity(certificateFile: $0, keyFile: self[\.mqttKey])
                }
                return try .tls(host: host, port: port, trust: authority ?? .system, identity: identity)
            } catch {
                throw CommandFailure(.configuration, "TLS to the broker can't be set up: \(error)")
            }
        }
    }

    /// The page that is configured; nil if it is off.
    var webOptions: WebOptions? {
        get throws {
            guard self[\.httpEnabled] else { return nil }
            let options = accessOptions
            guard options.password != nil || options.trustsIngress || options.isLoopback else {
                throw CommandFailure(
                    .configuration,
                    "http.host is \(options.host), so others reach the page: set http.password, or http.host to 127.0.0.1. "
                        + "A command does not know a password that systemd hands to the service alone (LoadCredential): "
                        + "name its file in PRINTER2MQTT_HTTP_PASSWORD_FILE"
                )
            }
            return options
        }
    }

    /// The rules of access to the page and to cameras; those of cameras hold also if the page is off.
    var accessOptions: WebOptions {
        var options = WebOptions(host: self[\.httpHost], port: self[\.httpPort])
        options.password = given(\.httpPassword).map { Secret($0) }
        options.trustsIngress = self[\.httpIngress]
        options.hostNames = Set(self[\.httpHostNames].commaList.map { $0.lowercased() })
        options.trustedProxies = Set(self[\.httpTrustedProxies].commaList)
        options.viewers = self[\.httpViewers]
        return options
    }

    /// The relay that is configured; nil if it is off.
    var relayOptions: RelayOptions? {
        guard self[\.rtspPort] > 0 else { return nil }
        return RelayOptions(host: self[\.rtspHost], port: self[\.rtspPort])
    }

    /// The address of the page for people; nil without a page, or if it is not known.
    var pageURL: String? { self[\.httpEnabled] ? accessOptions.url : nil }

    /// Where programs view the cameras, as far as this configuration tells.
    var viewerAddresses: ViewerAddresses {
        let names = self[\.httpHostNames].commaList
        let relay = relayOptions.map { options in
            let url = options.url ?? (names.count == 1 ? options.url(host: names[0]) : nil)
            return url.map(ViewerAddresses.Relay.address) ?? .port(options.port)
        }
        return ViewerAddresses(relay: relay, page: self[\.httpEnabled] ? accessOptions.viewersURL : nil)
    }
}
