import Foundation
import HomeAssistant
import Testing

extension Entity {
    init(_ uniqueID: String, name: String, kind: EntityKind, stateTopic: String? = nil) {
        self.init(name: name, kind: kind, stateTopic: stateTopic)
        self.uniqueID = uniqueID
    }
}

/// An entity and the JSON that Home Assistant wants for it, beside `unique_id` and `name`.
struct Sample: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var entity: Entity
    var json: String

    init(_ description: String, _ kind: EntityKind, _ json: String, _ change: (inout Entity) -> Void = { _ in }) {
        testDescription = description
        entity = Entity("u", name: "N", kind: kind)
        change(&entity)
        self.json = json
    }

    static let all = [
        Sample("a sensor", .sensor(), #"{"platform":"sensor"}"#),
        Sample(
            "a measurement",
            .sensor(unit: "ms", stateClass: "measurement"),
            #"{"platform":"sensor","state_class":"measurement","unit_of_measurement":"ms"}"#
        ),
        Sample(
            "an enumeration",
            .sensor(options: ["a", "b"]),
            #"{"device_class":"enum","options":["a","b"],"platform":"sensor"}"#
        ) { $0.deviceClass = "enum" },
        Sample("a binary sensor", .binarySensor, #"{"platform":"binary_sensor"}"#),
        Sample(
            "a text",
            .text(command: .init(topic: "t", template: "{{ value }}")),
            #"{"command_template":"{{ value }}","command_topic":"t","max":255,"platform":"text"}"#
        ),
        Sample(
            "a password",
            .text(command: .init(topic: "t", template: "{{ value }}"), isPassword: true),
            #"{"command_template":"{{ value }}","command_topic":"t","max":255,"mode":"password","platform":"text"}"#
        ),
        Sample(
            "a number",
            .number(command: .init(topic: "t", template: "v"), range: 0...86_400, step: 30, unit: "s"),
            #"{"command_template":"v","command_topic":"t","max":86400,"min":0,"mode":"box","platform":"number","step":30,"unit_of_measurement":"s"}"#
        ),
        Sample(
            "a select",
            .select(command: .init(topic: "t", template: "v"), options: ["a"]),
            #"{"command_template":"v","command_topic":"t","options":["a"],"platform":"select"}"#
        ),
        Sample(
            "a switch",
            .switch(topic: "t", payloadOn: "1", payloadOff: "0"),
            #"{"command_topic":"t","payload_off":"0","payload_on":"1","platform":"switch","state_off":"OFF","state_on":"ON"}"#
        ),
        Sample(
            "a button",
            .button(topic: "t", payload: "go"),
            #"{"command_topic":"t","message_expiry_interval":60,"payload_press":"go","platform":"button"}"#
        ),
        Sample(
            "an event",
            .event(types: ["a"]),
            #"{"event_types":["a"],"platform":"event","state_topic":"s"}"#
        ) { $0.stateTopic = "s" },
        Sample(
            "everything that all share",
            .sensor(),
            #"""
            {"device_class":"d","enabled_by_default":false,"entity_category":"diagnostic","expire_after":60,\#
            "icon":"mdi:x","json_attributes_topic":"j","platform":"sensor","state_topic":"s","value_template":"v"}
            """#
        ) { entity in
            entity.icon = "mdi:x"
            entity.category = .diagnostic
            entity.deviceClass = "d"
            entity.stateTopic = "s"
            entity.valueTemplate = "v"
            entity.jsonAttributesTopic = "j"
            entity.expireAfter = 60
            entity.isEnabledByDefault = false
        },
    ]
}

@Suite struct EntityTests {
    @Test("An entity is encoded with the keys of its platform, and no other", arguments: Sample.all)
    func encoding(sample: Sample) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        var fields = try #require(JSONSerialization.jsonObject(with: encoder.encode(sample.entity)) as? [String: Any])
        #expect(fields.removeValue(forKey: "unique_id") as? String == "u")
        #expect(fields.removeValue(forKey: "name") as? String == "N")
        let json = try JSONSerialization.data(withJSONObject: fields, options: [.sortedKeys, .withoutEscapingSlashes])
        #expect(String(decoding: json, as: UTF8.self) == sample.json)
    }
}
