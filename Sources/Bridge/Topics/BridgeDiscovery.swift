import HomeAssistant

/// How the bridge itself appears in Home Assistant: the device through which all printers are reached.
func bridgeDiscovery(in context: RenderContext) -> DeviceDiscovery {
    let identifier = context.deviceIdentifier("bridge")
    let connection = Entity(
        name: "Connection",
        kind: .binarySensor,
        category: .diagnostic,
        deviceClass: "connectivity",
        stateTopic: context.topics.bridgeAvailability,
        valueTemplate: "{{ 'ON' if value == 'online' else 'OFF' }}"
    )
    let warnings = Entity(
        name: "Warnings",
        kind: .sensor(stateClass: "measurement"),
        icon: "mdi:alert-outline",
        category: .diagnostic,
        stateTopic: context.topics.bridgeInfo,
        valueTemplate: "{{ value_json.warnings | count }}",
        jsonAttributesTopic: context.topics.bridgeInfo
    )
    func sensor(_ name: String, _ kind: EntityKind, topic: String, template: String) -> Entity {
        Entity(
            name: name,
            kind: kind,
            category: .diagnostic,
            stateTopic: topic,
            valueTemplate: template
        )
    }
    let topics = context.topics
    let version = sensor(
        "Version",
        .sensor(),
        topic: topics.bridgeInfo,
        template: "{{ value_json.version }}"
    )
    var down = sensor(
        "Printers down",
        .sensor(stateClass: "measurement"),
        topic: topics.bridgeHealth,
        template: "{{ value_json.printers.down }}"
    )
    down.icon = "mdi:printer-3d-nozzle-alert-outline"
    down.expireAfter = Int(BridgeHealth.interval * 2.5)
    var memory = sensor(
        "Memory",
        .sensor(unit: "B", stateClass: "measurement"),
        topic: topics.bridgeHealth,
        template: "{{ value_json.resident_memory }}"
    )
    memory.deviceClass = "data_size"
    memory.expireAfter = down.expireAfter
    memory.isEnabledByDefault = false
    let logLevel = Entity(
        name: "Log level",
        kind: .select(
            command: EntityKind.Command(
                topic: topics.request("options"),
                template: #"{"log_level": {{ value | tojson }}}"#
            ),
            options: LogLevel.allCases.map(\.rawValue)
        ),
        icon: "mdi:text-box-search-outline",
        category: .config,
        stateTopic: topics.bridgeInfo,
        valueTemplate: "{{ value_json.options.log_level }}"
    )
    let restart = Entity(
        name: "Restart",
        kind: .button(topic: topics.request("restart"), payload: "{}"),
        category: .config,
        deviceClass: "restart"
    )
    var components = [
        "connection": connection, "warnings": warnings, "version": version, "printers_down": down, "memory": memory,
        "log_level": logLevel, "restart": restart,
    ]
    for key in components.keys {
        components[key]?.identify(in: identifier, by: key, shownAs: context.entityPrefix("bridge"))
        // The connection entity stays available while the bridge is offline. All others become unavailable.
        if key != "connection" { components[key]?.availability = [Availability(topic: topics.bridgeAvailability)] }
    }
    return DeviceDiscovery(
        device: Device(
            identifiers: [identifier],
            name: "printer2mqtt",
            model: "Bridge",
            softwareVersion: context.version
        ),
        origin: context.origin,
        availability: [],
        components: components
    )
}

extension RenderContext {
    var origin: Origin {
        Origin(name: "printer2mqtt", softwareVersion: version)
    }
}

extension DeviceDiscovery {
    /// The payload as text; the values encoded are strings and numbers, which can't fail.
    var text: String { (try? payload()).map { String(decoding: $0, as: UTF8.self) } ?? "{}" }
}
