/// A topic that carries `online` or `offline`, or something that a template makes one of them.
public struct Availability: Sendable, Hashable, Encodable {
    /// The topic.
    public var topic: String
    /// Makes `online` or `offline` of the payload.
    public var template: String?

    /// Names the topic.
    public init(topic: String, template: String? = nil) {
        self.topic = topic
        self.template = template
    }

    private enum CodingKeys: String, CodingKey {
        case topic
        case template = "value_template"
    }
}
