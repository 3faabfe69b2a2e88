import HomeAssistant

/// How the bridge itself appears in Home Assistant: the device through which all printers are reached.
func bridgeDiscovery(in context: RenderContext) -> DeviceDiscovery {
    let (topics, info) = (context.topics, context.topics.bridgeInfo)
    let count = EntityKind.sensor(stateClass: "measurement")
    let bytes = EntityKind.sensor(unit: "B", stateClass: "measurement")
    let isOnline = "'ON' if value == 'online' else 'OFF'"
    let command = EntityKind.Command(
        topic: topics.request("options"),
        template: #"{"log_level": {{ value | tojson }}}"#
    )
    let levels = EntityKind.select(command: command, options: LogLevel.allCases.map(\.rawValue))
    var entities: [String: Entity] = [
        "connection": .reading(.binarySensor, of: topics.bridgeAvailability, isOnline, class: "connectivity"),
        "warnings": .reading(count, of: info, "value_json.warnings | count", "mdi:alert-outline"),
        "version": .reading(.sensor(), of: info, "value_json.version"),
        "printers_down": .reading(
            count,
            of: topics.bridgeHealth,
            "value_json.printers.down",
            "mdi:printer-3d-nozzle-alert-outline"
        ),
        "memory": .reading(bytes, of: topics.bridgeHealth, "value_json.resident_memory", class: "data_size"),
        "log_level": .reading(levels, of: info, "value_json.options.log_level", "mdi:text-box-search-outline"),
        "restart": Entity(kind: .button(topic: topics.request("restart"), payload: "{}"), deviceClass: "restart"),
    ]
    entities["warnings"]?.jsonAttributesTopic = info
    entities["memory"]?.isEnabledByDefault = false
    for key in ["printers_down", "memory"] { entities[key]?.expireAfter = Int(BridgeHealth.interval * 2.5) }
    for key in ["log_level", "restart"] { entities[key]?.category = .config }
    // The connection entity stays available while the bridge is offline. All others become unavailable.
    for key in entities.keys where key != "connection" {
        entities[key]?.availability = [Availability(topic: topics.bridgeAvailability)]
    }
    return DeviceDiscovery(
        device: Device(
            identifiers: [context.deviceIdentifier("bridge")],
            name: "printer2mqtt",
            model: "Bridge",
            softwareVersion: context.version,
            configurationURL: context.pageURL
        ),
        origin: context.origin,
        availability: [],
        components: context.components(entities, of: "bridge")
    )
}
