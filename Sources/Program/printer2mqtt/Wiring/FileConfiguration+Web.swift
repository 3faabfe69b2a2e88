import Foundation
import StoredSettings
import WebInterface

extension FileConfiguration {
    /// The page that is configured; nil if it is switched off.
    ///
    /// - Throws: ``CommandFailure`` if other machines could reach the page without a password.
    var webOptions: WebOptions? {
        get throws {
            guard self[ConfigKeys.httpEnabled] else { return nil }
            var options = WebOptions(host: self[ConfigKeys.httpHost], port: self[ConfigKeys.httpPort])
            let password = self[ConfigKeys.httpPassword]
            if !password.isEmpty { options.password = Secret(password) }
            options.trustsIngress = self[ConfigKeys.httpIngress]
            options.hostNames = Set(ConfigKeys.entries(of: self[ConfigKeys.httpHostNames]).map { $0.lowercased() })
            options.trustedProxies = Set(ConfigKeys.entries(of: self[ConfigKeys.httpTrustedProxies]))
            options.isRequired = values.keys.contains { $0.hasPrefix("http.") }
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
