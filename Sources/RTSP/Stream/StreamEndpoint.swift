/// Where a probe connects to.
struct StreamEndpoint: Sendable, Hashable {
    /// A name, or an address without brackets.
    var host: String
    var port: Int
    /// Whether TLS begins with the first byte.
    var isEncrypted: Bool
}
