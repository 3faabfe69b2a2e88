import JSON

/// A topic that carries `online` or `offline`, or a payload from which a template makes one of the two.
package struct Availability: Sendable, Hashable {
    package var topic: String
    /// Makes `online` or `offline` of the payload.
    package var template: String?

    package init(topic: String, template: String? = nil) { (self.topic, self.template) = (topic, template) }
}

extension JSONWriter {
    mutating func member(_ name: String, _ conditions: [Availability]) {
        self.name(name)
        array { json in
            for condition in conditions {
                json.object { json in
                    json.member("topic", condition.topic)
                    json.member("value_template", condition.template)
                }
            }
        }
    }
}
