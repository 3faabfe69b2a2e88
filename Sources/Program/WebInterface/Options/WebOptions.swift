package import JSON
import Platform
package import Secrets

/// Where the page is served, and which clients may use it.
package struct WebOptions: Sendable {
    package var host: String
    /// The TCP port; 0 picks a free one.
    package var port: Int
    /// The password of the page; nil asks for none, and then only this machine may use the page.
    package var password: Secret<String>?
    /// The names under which browsers reach the page, besides `localhost` and IP addresses.
    package var hostNames: Set<String> = []
    /// Whether requests from Home Assistant's ingress need no password.
    package var trustsIngress = false
    /// The IP addresses of proxies whose `X-Forwarded-For` is accepted.
    package var trustedProxies: Set<String> = []

    package var viewers = 16

    /// Makes the findings that `printer2mqtt doctor --json` prints; nil leaves this part of the page out.
    package var examine: (@Sendable () async throws -> [JSONValue])?

    package init(host: String, port: Int) { (self.host, self.port) = (host, port) }
}

extension WebOptions {
    /// The address for browsers elsewhere in the network; nil if they cannot connect, or if it is not known.
    package var url: String? { isLoopback || trustsIngress ? nil : name.map { url(host: $0, port: port) } }

    /// The address for programs that view the cameras; nil if it is not known.
    ///
    /// Programs on this machine need no other address, and Home Assistant connects to the port of its ingress itself.
    package var viewersURL: String? { name.map { url(host: $0, port: port) } }

    /// The address, for people, of a page on this port: with the host that it listens on if no better name is known.
    func shownURL(port: Int) -> String { url(host: name ?? host, port: port) }

    /// The name under which others reach the page.
    private var name: String? {
        guard IPLiteral(host)?.isUnspecified == true else { return host }
        return trustedProxies.isEmpty && hostNames.count == 1 ? hostNames.first : nil
    }

    private func url(host: String, port: Int) -> String { "http://\(IPLiteral.bracketed(host)):\(port)/" }

    package var isLoopback: Bool { IPLiteral.isLoopback(host) }
}
