import Bridge
import Relay
import WebInterface

extension FileConfiguration {
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
