/// Where a server listens.
public struct StatusEndpoint: Sendable, Hashable {
    /// The address.
    public var host: String
    /// The TCP port.
    public var port: Int

    /// Names both.
    public init(host: String, port: Int) {
        self.host = host
        self.port = port
    }
}
