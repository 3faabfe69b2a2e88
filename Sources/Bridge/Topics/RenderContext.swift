/// What the topics of every printer depend on besides the printer.
public struct RenderContext: Sendable {
    /// The names of the topics.
    public let topics: Topics
    /// The store's epoch.
    public let epoch: String
    /// The version of the program.
    public let version: String
    /// Whether discovery is published.
    public var announcesDevices: Bool
    /// Whether `secret/stream_url` is published.
    public var publishesSecrets: Bool
    /// Whether the values of a stream are published one by one as well.
    public var publishesFlatTopics = true
    let templates = DiscoveryTemplates()

    /// Describes the surroundings.
    public init(
        topics: Topics,
        epoch: String,
        version: String,
        announcesDevices: Bool = true,
        publishesSecrets: Bool = true
    ) {
        self.topics = topics
        self.epoch = epoch
        self.version = version
        self.announcesDevices = announcesDevices
        self.publishesSecrets = publishesSecrets
    }
}
