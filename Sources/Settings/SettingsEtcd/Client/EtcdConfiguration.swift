public import StoredSettings

/// Where an etcd cluster is, and how a client shows who it is.
public struct EtcdConfiguration: Sendable, Hashable {
    /// The client URLs of the members, such as `https://etcd-1:2379`.
    public var endpoints: [String]
    /// A PEM file with the authorities that sign the members' certificates; nil for those of the system.
    public var caFile: String?
    /// A PEM file with the client's certificate chain.
    public var certificateFile: String?
    /// A PEM file with the key of that certificate.
    public var keyFile: String?
    /// The user, where etcd asks for one.
    public var username: String?
    /// The user's password.
    public var password: Secret<String> = ""
    /// How long one member may take to answer before the next is asked.
    public var timeout = Duration.seconds(3)

    /// Describes a cluster.
    ///
    /// - Parameter endpoints: The client URLs of the members; at least one.
    public init(endpoints: [String]) { self.endpoints = endpoints }
}
