/// What is particular to a platform of Home Assistant's MQTT integration.
package enum EntityKind: Sendable, Hashable, Encodable {
    /// A reading. `options` are the values of an `enum` sensor.
    case sensor(unit: String? = nil, stateClass: String? = nil, options: [String]? = nil)
    case binarySensor
    /// A string that can be edited. Its state is at most 255 characters.
    case text(command: Command, maximum: Int = 255, isPassword: Bool = false)
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
    /// The same, for what takes cameras only.
    case camera(topic: String)
    /// Something that happens; the payload is a JSON object with `event_type`.
    case event(types: [String])

    /// A topic to publish on, and the template that makes the payload from `value`.
    package struct Command: Sendable, Hashable {
        package var topic: String
        /// A Jinja template.
        package var template: String?

        package init(topic: String, template: String? = nil) {
            self.topic = topic
            self.template = template
        }
    }

    var platform: String {
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

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        switch self {
        case .sensor(let unit, let stateClass, let options):
            try container.encodeIfPresent(unit, forKey: .unit)
            try container.encodeIfPresent(stateClass, forKey: .stateClass)
            try container.encodeIfPresent(options, forKey: .options)
        case .binarySensor:
            break
        case .text(let command, let maximum, let isPassword):
            try container.encode(command)
            try container.encode(maximum, forKey: .max)
            if isPassword { try container.encode("password", forKey: .mode) }
        case .number(let command, let range, let step, let unit):
            try container.encode(command)
            try container.encode(range.lowerBound, forKey: .min)
            try container.encode(range.upperBound, forKey: .max)
            try container.encodeIfPresent(step, forKey: .step)
            try container.encode("box", forKey: .mode)
            try container.encodeIfPresent(unit, forKey: .unit)
        case .select(let command, let options):
            try container.encode(command)
            try container.encode(options, forKey: .options)
        case .switch(let topic, let payloadOn, let payloadOff):
            try container.encode(topic, forKey: .commandTopic)
            try container.encode(payloadOn, forKey: .payloadOn)
            try container.encode(payloadOff, forKey: .payloadOff)
            try container.encode("ON", forKey: .stateOn)
            try container.encode("OFF", forKey: .stateOff)
        case .button(let topic, let payload, let template):
            try container.encode(topic, forKey: .commandTopic)
            try container.encode(payload, forKey: .payloadPress)
            try container.encodeIfPresent(template, forKey: .commandTemplate)
            try container.encode(60, forKey: .messageExpiryInterval)
        case .image(let topic):
            try container.encode(topic, forKey: .imageTopic)
            try container.encode("image/jpeg", forKey: .contentType)
        case .camera(let topic): try container.encode(topic, forKey: .topic)
        case .event(let types):
            try container.encode(types, forKey: .eventTypes)
        }
    }

    fileprivate enum CodingKeys: String, CodingKey {
        case max, min, mode, options, step, topic
        case commandTemplate = "command_template"
        case contentType = "content_type"
        case imageTopic = "image_topic"
        case commandTopic = "command_topic"
        case eventTypes = "event_types"
        case messageExpiryInterval = "message_expiry_interval"
        case payloadOff = "payload_off"
        case payloadOn = "payload_on"
        case payloadPress = "payload_press"
        case stateClass = "state_class"
        case stateOff = "state_off"
        case stateOn = "state_on"
        case unit = "unit_of_measurement"
    }
}

extension KeyedEncodingContainer<EntityKind.CodingKeys> {
    fileprivate mutating func encode(_ command: EntityKind.Command) throws {
        try encode(command.topic, forKey: .commandTopic)
        try encodeIfPresent(command.template, forKey: .commandTemplate)
    }
}
