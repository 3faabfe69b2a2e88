import JSON

/// What is particular to a platform of Home Assistant's MQTT integration.
enum EntityKind: Sendable, Hashable {
    /// A reading. `options` are the values of an `enum` sensor, `decimals` the digits that are shown behind the point.
    case sensor(unit: String? = nil, stateClass: String? = nil, options: [String]? = nil, decimals: Int? = nil)
    case binarySensor
    /// A string of at most 255 characters that can be edited; the template `command` makes the message from `value`.
    case text(command: String, isPassword: Bool = false)
    /// A number that can be edited.
    ///
    /// A person is offered multiples of `step`.
    case number(command: String, range: ClosedRange<Int>, step: Int? = nil, unit: String? = nil)
    case select(command: String, options: [String])
    /// On or off, by a person; its state is `ON` or `OFF`.
    case `switch`(payloadOn: String, payloadOff: String)
    /// An action; a template makes the message from the payload and the entity.
    ///
    /// With QoS 0 most brokers (not EMQX) drop a press that the bridge misses. With `message_expiry_interval` Home
    /// Assistant would refuse each press over MQTT 3.1.1.
    case button(payload: String, template: String? = nil)
    /// A picture; the messages on its topic are JPEG files.
    case image(topic: String)
    /// The same picture as a camera, for cards that accept only cameras.
    case camera(topic: String)
    /// Something that happens; the payload is a JSON object with `event_type`.
    case event(types: [String])

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

    /// Writes the members that only entities of this platform have.
    func write(to json: inout JSONWriter) {
        switch self {
        case .sensor(let unit, let stateClass, let options, let decimals):
            json.member("unit_of_measurement", unit)
            json.member("state_class", stateClass)
            json.member("options", options)
            json.member("suggested_display_precision", decimals)
        case .binarySensor: break
        case .text(let command, let isPassword):
            json.member("command_template", command)
            json.member("max", 255)
            if isPassword { json.member("mode", "password") }
        case .number(let command, let range, let step, let unit):
            json.member("command_template", command)
            json.member("min", range.lowerBound)
            json.member("max", range.upperBound)
            json.member("step", step)
            json.member("mode", "box")
            json.member("unit_of_measurement", unit)
        case .select(let command, let options):
            json.member("command_template", command)
            json.member("options", options)
        case .switch(let payloadOn, let payloadOff):
            json.member("payload_on", payloadOn)
            json.member("payload_off", payloadOff)
            json.member("state_on", "ON")
            json.member("state_off", "OFF")
        case .button(let payload, let template):
            json.member("payload_press", payload)
            json.member("command_template", template)
            json.member("qos", 0)
        case .image(let topic):
            json.member("image_topic", topic)
            json.member("content_type", "image/jpeg")
        case .camera(let topic): json.member("topic", topic)
        case .event(let types): json.member("event_types", types)
        }
    }
}
