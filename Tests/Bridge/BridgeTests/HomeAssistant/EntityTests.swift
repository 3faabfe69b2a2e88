import Foundation
import Testing

@testable import Bridge

/// An entity and the JSON that Home Assistant wants for it, beside its names.
struct Sample: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var group: EntityGroup
    var json: String

    init(_ description: String, _ kind: EntityKind, _ json: String) {
        self.init(description, EntityGroup(entities: [Entity("some_key", kind, category: nil)]), json)
    }

    init(_ description: String, _ group: EntityGroup, _ json: String) {
        (testDescription, self.group, self.json) = (description, group, json)
    }

    static let all = [
        Sample("a sensor", .sensor(), #"{"platform":"sensor"}"#),
        Sample(
            "a measurement",
            .sensor(unit: "ms", stateClass: "measurement"),
            #"{"platform":"sensor","state_class":"measurement","unit_of_measurement":"ms"}"#
        ),
        Sample("an enumeration", .sensor(options: ["a", "b"]), #"{"options":["a","b"],"platform":"sensor"}"#),
        Sample("a binary sensor", .binarySensor, #"{"platform":"binary_sensor"}"#),
        Sample("a text", .text(command: "v"), #"{"command_template":"v","max":255,"platform":"text"}"#),
        Sample(
            "a password",
            .text(command: "v", isPassword: true),
            #"{"command_template":"v","max":255,"mode":"password","platform":"text"}"#
        ),
        Sample(
            "a number",
            .number(command: "v", range: 0...86_400, step: 30, unit: "s"),
            #"{"command_template":"v","max":86400,"min":0,"mode":"box","platform":"number","step":30,"unit_of_measurement":"s"}"#
        ),
        Sample(
            "a select",
            .select(command: "v", options: ["a"]),
            #"{"command_template":"v","options":["a"],"platform":"select"}"#
        ),
        Sample(
            "a switch",
            .switch(payloadOn: "1", payloadOff: "0"),
            #"{"payload_off":"0","payload_on":"1","platform":"switch","state_off":"OFF","state_on":"ON"}"#
        ),
        Sample(
            "a button",
            .button(payload: "go"),
            #"{"payload_press":"go","platform":"button","qos":0}"#
        ),
        Sample(
            "a button with a template",
            .button(payload: "go", template: "t"),
            #"{"command_template":"t","payload_press":"go","platform":"button","qos":0}"#
        ),
        Sample("a picture", .image(topic: "t"), #"{"content_type":"image/jpeg","image_topic":"t","platform":"image"}"#),
        Sample("a camera", .camera(topic: "t"), #"{"platform":"camera","topic":"t"}"#),
        Sample("an event", .event(types: ["a"]), #"{"event_types":["a"],"platform":"event"}"#),
        Sample(
            "everything that all share",
            EntityGroup(
                entities: [
                    Entity(
                        "some_key",
                        .sensor(),
                        value: "v",
                        icon: "x",
                        class: "d",
                        category: .diagnostic,
                        attributes: .init(topic: "j", template: "t"),
                        isEnabled: false
                    )
                ],
                stateTopic: "s",
                commandTopic: "c",
                expireAfter: 60,
                availability: [Availability(topic: "a")]
            ),
            #"""
            {"availability":[{"topic":"a"}],"command_topic":"c","device_class":"d","enabled_by_default":false,\#
            "entity_category":"diagnostic","expire_after":60,\#
            "icon":"mdi:x","json_attributes_template":"t","json_attributes_topic":"j","platform":"sensor","state_topic":"s","value_template":"{{ v }}"}
            """#
        ),
    ]
}

@Suite struct EntityTests {
    @Test(arguments: Sample.all)
    func `An entity is written with the keys of its platform, and no other`(sample: Sample) throws {
        let object = try DeviceDiscovery("D", [sample.group]).object()
        var members = try #require((object["components"] as? [String: [String: Any]])?["some_key"])
        #expect(members.removeValue(forKey: "unique_id") as? String == "d_some_key")
        #expect(
            members.removeValue(forKey: "default_entity_id") as? String
                == "\(sample.group.entities[0].kind.platform).p_some_key"
        )
        #expect(members.removeValue(forKey: "name") as? String == "Some key")
        let json = try JSONSerialization.data(withJSONObject: members, options: [.sortedKeys, .withoutEscapingSlashes])
        #expect(String(decoding: json, as: UTF8.self) == sample.json)
    }

    @Test func `Attributes without a topic are those of the state`() throws {
        let group = EntityGroup(entities: [Entity("a", .sensor(), attributes: .init())], stateTopic: "s")
        let object = try DeviceDiscovery("D", [group]).object()
        let members = try #require((object["components"] as? [String: [String: Any]])?["a"])
        #expect(members["json_attributes_topic"] as? String == "s" && members["json_attributes_template"] == nil)
    }
}
