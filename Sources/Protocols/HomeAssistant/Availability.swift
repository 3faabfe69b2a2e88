/// A topic that carries `online` or `offline`, or something that a template makes one of them.
package struct Availability: Sendable, Hashable, Encodable {
    package var topic: String
    /// Makes `online` or `offline` of the payload.
    package var template: String?

    package init(topic: String, template: String? = nil) { (self.topic, self.template) = (topic, template) }

    package func encode(to encoder: any Encoder) throws {
        try encoder.encode(["topic": topic, "value_template": template])
    }
}
