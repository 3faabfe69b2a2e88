import HomeAssistant

private let infoRows: [Entity] = [
    .reading("warnings", "value_json.warnings | count", count, icon: "alert-outline", attributes: .init()),
    .reading("version", "value_json.version"),
]

/// Published again and again, so that they expire when the bridge stops.
private let healthRows: [Entity] = [
    .reading("printers_down", "value_json.printers.down", count, icon: "printer-3d-nozzle-alert-outline"),
    .reading("memory", "value_json.resident_memory", bytes, class: "data_size", isEnabled: false),
]

private let count = EntityKind.sensor(stateClass: "measurement")
private let bytes = EntityKind.sensor(unit: "B", stateClass: "measurement")

private let connectionRows: [Entity] = [
    .reading("connection", "'ON' if value == 'online' else 'OFF'", .binarySensor, class: "connectivity")
]

private let levelRows = [
    Entity(
        "log_level",
        .select(
            command: #"{"log_level": {{ value | lower | tojson }}}"#,
            options: LogLevel.allCases.map { plainWord($0.rawValue) }
        ),
        icon: "mdi:text-box-search-outline",
        category: .config,
        valueTemplate: "{{ value_json.options.log_level | capitalize }}"
    )
]

private let restartRows = [Entity("restart", .button(payload: "{}"), category: .config, deviceClass: "restart")]

/// How the bridge itself appears in Home Assistant: the device through which all printers are reached.
func bridgeDiscovery(in context: RenderContext) -> DeviceDiscovery {
    let topics = context.topics
    let health = Int(BridgeHealth.interval * 2.5)
    var groups = [
        EntityGroup(infoRows, stateTopic: topics.bridgeInfo),
        EntityGroup(healthRows, stateTopic: topics.bridgeHealth, expireAfter: health),
        EntityGroup(levelRows, stateTopic: topics.bridgeInfo, commandTopic: topics.request("options")),
        EntityGroup(restartRows, commandTopic: topics.request("restart")),
    ]
    // The connection entity stays available while the bridge is offline. All others become unavailable.
    for index in groups.indices { groups[index].availability = context.availability() }
    groups.append(EntityGroup(connectionRows, stateTopic: topics.bridgeAvailability))
    var device = Device(identifier: topics.deviceIdentifier(TopicOwner.bridge), name: "printer2mqtt")
    device.model = "Bridge"
    device.softwareVersion = context.version
    device.configurationURL = context.pageURL
    return DeviceDiscovery(
        device: device,
        origin: context.origin,
        availability: [],
        entityPrefix: context.entityPrefix(TopicOwner.bridge),
        groups: groups
    )
}
