import JSON

/// A topic that carries `online` or `offline`, or a payload from which a template makes one of the two.
struct Availability: Sendable, Hashable {
    var topic: String
    /// Makes `online` or `offline` of the payload.
    var template: String?
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
