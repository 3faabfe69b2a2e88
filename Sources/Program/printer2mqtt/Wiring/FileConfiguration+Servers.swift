import Bridge
import Relay
import Secrets
import WebInterface

extension FileConfiguration {
    /// The page that is configured; nil if it is off.
    var webOptions: WebOptions? {
        get throws {
            guard self[\.httpEnabled] else { return nil }
            var options = WebOptions(host: self[\.httpHost], port: self[\.httpPort])
            options.password = given(\.httpPassword).map { Secret($0) }
            options.trustsIngress = self[\.httpIngress]
            options.hostNames = Set(self[\.httpHostNames].commaList.map { $0.lowercased() })
            options.trustedProxies = Set(self[\.httpTrustedProxies].commaList)
            options.viewers = self[\.httpViewers]
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

    /// The relay that is configured; nil if it is off.
    var relayOptions: RelayOptions? {
        guard self[\.rtspPort] > 0 else { return nil }
        return RelayOptions(host: self[\.rtspHost], port: self[\.rtspPort])
    }

    /// Where viewers find the cameras, as far as the configuration tells.
    func viewerAddresses(page: WebOptions?) -> ViewerAddresses {
        let names = self[\.httpHostNames].commaList
        let relay = relayOptions.flatMap { options in
            options.url ?? (names.count == 1 ? options.url(host: names[0]) : nil)
        }
        let port = relay == nil ? relayOptions?.port : nil
        return ViewerAddresses(relay: relay, page: page?.viewersURL, relayPort: port)
    }
}
