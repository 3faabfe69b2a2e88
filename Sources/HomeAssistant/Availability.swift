/// A topic that carries `online` or `offline`.
public struct Availability: Sendable, Hashable, Encodable {
    /// The topic.
    public var topic: String

    /// Names the topic.
    public init(topic: String) {
        self.topic = topic
    }
}
