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
}
