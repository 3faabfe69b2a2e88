import HomeAssistant

/// How the bridge itself appears in Home Assistant: the device through which all printers are reached.
func bridgeDiscovery(in context: RenderContext) -> DeviceDiscovery {
    let identifier = context.deviceIdentifier("bridge")
    let connection = Entity(
        uniqueID: "\(identifier)_connection",
        name: "Connection",
        kind: .binarySensor,
        category: .diagnostic,
        deviceClass: "connectivity",
        stateTopic: context.topics.bridgeAvailability,
        valueTemplate: "{{ 'ON' if value == 'online' else 'OFF' }}"
    )
    let warnings = Entity(
        uniqueID: "\(identifier)_warnings",
        name: "Warnings",
        kind: .sensor(stateClass: "measurement"),
        icon: "mdi:alert-outline",
        category: .diagnostic,
        stateTopic: context.topics.bridgeInfo,
        valueTemplate: "{{ value_json.warnings | count }}",
        jsonAttributesTopic: context.topics.bridgeInfo
    )
    return DeviceDiscovery(
        device: Device(
            identifiers: [identifier],
            name: "printer2mqtt",
            model: "Bridge",
            softwareVersion: context.version
        ),
        origin: context.origin,
        availability: [],
        components: ["connection": connection, "warnings": warnings]
    )
}

extension RenderContext {
    /// A device's identifier: the same after a reset, and another one for another base topic.
    func deviceIdentifier(_ name: String) -> String {
        String(topics.base.map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "_" }) + "_" + name
    }

    var origin: Origin {
        Origin(name: "printer2mqtt", softwareVersion: version)
    }
}

extension DeviceDiscovery {
    /// The payload as text; the values encoded are strings and numbers, which can't fail.
    var text: String { (try? payload()).map { String(decoding: $0, as: UTF8.self) } ?? "{}" }
}
