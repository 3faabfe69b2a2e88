import Foundation
import Testing

@testable import Bridge

@Suite struct EntityTests {
    private static func group(_ kind: EntityKind) -> EntityGroup {
        EntityGroup(entities: [Entity("some_key", kind, category: nil)])
    }

    /// An entity, and the JSON that Home Assistant wants for it beside its names.
    private static let rows: [(EntityGroup, String)] = [
        (group(.sensor()), #"{"platform":"sensor"}"#),
        (
            group(.sensor(unit: "ms", stateClass: "measurement")),
            #"{"platform":"sensor","state_class":"measurement","unit_of_measurement":"ms"}"#
        ),
        (group(.sensor(options: ["a", "b"])), #"{"options":["a","b"],"platform":"sensor"}"#),
        (group(.binarySensor), #"{"platform":"binary_sensor"}"#),
        (group(.text(command: "v")), #"{"command_template":"v","max":255,"platform":"text"}"#),
        (
            group(.text(command: "v", isPassword: true)),
            #"{"command_template":"v","max":255,"mode":"password","platform":"text"}"#
        ),
        (
            group(.number(command: "v", range: 0...86_400, step: 30, unit: "s")),
            #"{"command_template":"v","max":86400,"min":0,"mode":"box","platform":"number","step":30,"unit_of_measurement":"s"}"#
        ),
        (
            group(.select(command: "v", options: ["a"])),
            #"{"command_template":"v","options":["a"],"platform":"select"}"#
        ),
        (
            group(.switch(payloadOn: "1", payloadOff: "0")),
            #"{"payload_off":"0","payload_on":"1","platform":"switch","state_off":"OFF","state_on":"ON"}"#
        ),
        (group(.button(payload: "go")), #"{"payload_press":"go","platform":"button","qos":0}"#),
        (
            group(.button(payload: "go", template: "t")),
            #"{"command_template":"t","payload_press":"go","platform":"button","qos":0}"#
        ),
        (group(.image(topic: "t")), #"{"content_type":"image/jpeg","image_topic":"t","platform":"image"}"#),
        (group(.camera(topic: "t")), #"{"platform":"camera","topic":"t"}"#),
        (group(.event(types: ["a"])), #"{"event_types":["a"],"platform":"event"}"#),
        // Attributes without a topic are those of the state.
        (
            EntityGroup(entities: [Entity("some_key", category: nil, attributes: .init())], stateTopic: "s"),
            #"{"json_attributes_topic":"s","platform":"sensor","state_topic":"s"}"#
        ),
        (
            EntityGroup(
                entities: [
                    Entity(
                        "some_key",
                        value: "v",
                        icon: "x",
                        class: "d",
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

    @Test(arguments: rows)
    func `An entity is written with the keys of its platform, and no other`(group: EntityGroup, json: String) throws {
        let device = DeviceDiscovery(identifier: "d", name: "D", version: "1", entityPrefix: "p", groups: [group])
        let object = try JSONSerialization.jsonObject(with: Data(device.payload())) as? [String: Any]
        var members = try #require((object?["components"] as? [String: [String: Any]])?["some_key"])
        #expect(members.removeValue(forKey: "unique_id") as? String == "d_some_key")
        let id = "\(group.entities[0].kind.platform).p_some_key"
        #expect(members.removeValue(forKey: "default_entity_id") as? String == id)
        #expect(members.removeValue(forKey: "name") as? String == "Some key")
        let options: JSONSerialization.WritingOptions = [.sortedKeys, .withoutEscapingSlashes]
        let found = try JSONSerialization.data(withJSONObject: members, options: options)
        #expect(String(decoding: found, as: UTF8.self) == json)
    }
}
