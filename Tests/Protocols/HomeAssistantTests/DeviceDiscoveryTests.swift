import Foundation
import HomeAssistant
import Testing

@Suite struct DeviceDiscoveryTests {
    private let device = DeviceDiscovery(
        device: Device(
            identifiers: ["printer2mqtt_x1"],
            name: "X1",
            manufacturer: "Bambu Lab",
            model: "X1C",
            serialNumber: "00M",
            softwareVersion: "1",
            viaDevice: "printer2mqtt_bridge"
        ),
        origin: Origin(name: "printer2mqtt", softwareVersion: "1.2.3"),
        availability: [Availability(topic: "b/bridge/availability")],
        components: ["status": Entity("u", name: "N", kind: .sensor(), stateTopic: "b/x1/stream/status")]
    )

    @Test("The payload has the form of a device discovery")
    func payload() throws {
        let json = """
            {"availability":[{"topic":"b/bridge/availability"}],"availability_mode":"all",\
            "components":{"status":{"name":"N","platform":"sensor","state_topic":"b/x1/stream/status","unique_id":"u"}},\
            "device":{"identifiers":["printer2mqtt_x1"],"manufacturer":"Bambu Lab","model":"X1C","name":"X1",\
            "serial_number":"00M","sw_version":"1","via_device":"printer2mqtt_bridge"},\
            "origin":{"name":"printer2mqtt","sw_version":"1.2.3"},"qos":1}
            """
        #expect(try String(decoding: device.payload(), as: UTF8.self) == json)
    }

    @Test("What is not known is left out, and never null")
    func leftOut() throws {
        let bare = DeviceDiscovery(
            device: Device(identifiers: ["d"], name: "D"),
            origin: Origin(name: "o", softwareVersion: "1"),
            availability: [],
            components: [:]
        )
        let json = try String(decoding: bare.payload(), as: UTF8.self)
        #expect(!json.contains("null"))
        #expect(json.contains(#""device":{"identifiers":["d"],"name":"D"}"#))
        #expect(json.contains(#""origin":{"name":"o","sw_version":"1"}"#))
    }

    @Test("Equal devices give equal bytes, in whatever order they were made")
    func deterministic() throws {
        let keys = (0..<200).map { "component_\($0)" }
        func made(_ keys: [String]) throws -> Data {
            var copy = device
            copy.components = [:]
            for key in keys { copy.components[key] = Entity(key, name: key, kind: .binarySensor) }
            return try copy.payload()
        }
        #expect(try made(keys) == made(keys.reversed()))
    }

    @Test("The topic is named after the first identifier")
    func topic() {
        #expect(device.topic(prefix: "homeassistant") == "homeassistant/device/printer2mqtt_x1/config")
    }
}
