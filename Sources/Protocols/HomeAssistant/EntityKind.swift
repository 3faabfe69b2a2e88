/// What is particular to a platform of Home Assistant's MQTT integration.
package enum EntityKind: Sendable, Hashable {
    /// A reading. `options` are the values of an `enum` sensor.
    case sensor(unit: String? = nil, stateClass: String? = nil, options: [String]? = nil)
    case binarySensor
    /// A string that can be edited. Its state is at most 255 characters.
    case text(command: Command, isPassword: Bool = false)
    /// A number that can be edited.
    ///
    /// A person is offered multiples of `step`.
    case number(command: Command, range: ClosedRange<Int>, step: Int? = nil, unit: String? = nil)
    case select(command: Command, options: [String])
    /// On or off, by a person; its state is `ON` or `OFF`.
    case `switch`(topic: String, payloadOn: String, payloadOff: String)
    /// An action; a template makes the message of the payload and the entity.
    ///
    /// A press expires after a minute (MQTT 5): one that the bridge misses does nothing an hour later.
    case button(topic: String, payload: String, template: String? = nil)
    /// A picture; the messages on its topic are JPEG files.
    case image(topic: String)
    /// The same picture as a camera, for cards that accept only cameras.
    case camera(topic: String)
    /// Something that happens; the payload is a JSON object with `event_type`.
    case event(types: [String])

    /// A topic to publish on, and the template that makes the payload from `value`.
    package struct Command: Sendable, Hashable {
        package var topic: String
        /// A Jinja template.
        package var template: String

        package init(topic: String, template: String) { (self.topic, self.template) = (topic, template) }
    }

    package var platform: String {
        switch self {
        case .sensor: "sensor"
        case .binarySensor: "binary_sensor"
        case .text: "text"
        case .number: "number"
        case .select: "select"
        case .switch: "switch"
        case .button: "button"
        case .event: "event"
        case .image: "image"
        case .camera: "camera"
        }
    }

    /// The keys that only entities of this platform have.
    var members: Members {
        switch self {
        case .sensor(let unit, let stateClass, let options):
            ["unit_of_measurement": unit, "state_class": stateClass, "options": options]
        case .binarySensor: [:]
        case .text(let command, let isPassword):
            command.members(with: ["max": 255, "mode": isPassword ? "password" : nil])
        case .number(let command, let range, let step, let unit):
            command.members(with: [
                "min": range.lowerBound, "max": range.upperBound, "step": step, "mode": "box",
                "unit_of_measurement": unit,
            ])
        case .select(let command, let options): command.members(with: ["options": options])
        case .switch(let topic, let payloadOn, let payloadOff):
            [
                "command_topic": topic, "payload_on": payloadOn, "payload_off": payloadOff, "state_on": "ON",
                "state_off": "OFF",
            ]
        case .button(let topic, let payload, let template):
            [
                "command_topic": topic, "payload_press": payload, "command_template": template,
                "message_expiry_interval": 60,
            ]
        case .image(let topic): ["image_topic": topic, "content_type": "image/jpeg"]
        case .camera(let topic): ["topic": topic]
        case .event(let types): ["event_types": types]
        }
    }
}

extension EntityKind.Command {
    fileprivate func members(with more: Members) -> Members {
        more.merging(["command_topic": topic, "command_template": template]) { $1 }
    }
}
