import HTTPTypes

extension HTTPField.Name {
    /// Sent by the page with every change.
    static let changeToken = named("X-Change-Token")
    /// How the page that asks relates to this one (Fetch Metadata Request Headers, section 2.3).
    static let fetchSite = named("Sec-Fetch-Site")
    /// Below which path Home Assistant shows the page.
    static let ingressPath = named("X-Ingress-Path")
    /// For whom a proxy asks (RFC 7239), and the name that proxies used before it.
    static let forwarded = named("Forwarded")
    static let forwardedFor = named("X-Forwarded-For")
    /// What proxies add to a request that they pass on.
    static let ofProxies = [forwardedFor, forwarded, via]
    static let referrerPolicy = named("Referrer-Policy")
    static let resourcePolicy = named("Cross-Origin-Resource-Policy")

    private static func named(_ name: String) -> HTTPField.Name {
        guard let name = HTTPField.Name(name) else { preconditionFailure("\(name) is no name of a header") }
        return name
    }
}
