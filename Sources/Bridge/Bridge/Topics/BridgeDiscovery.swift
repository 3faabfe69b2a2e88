import Logging

private let infoRows: [Entity] = [
    Entity("warnings", count, value: "value_json.warnings | count", icon: "alert-outline", attributes: .init()),
    Entity("version", value: "value_json.version"),
]

/// Published again and again, so that they expire when the bridge stops.
private let healthRows: [Entity] = [
    Entity("printers_down", count, value: "value_json.printers.down", icon: "printer-3d-nozzle-alert-outline"),
    Entity("memory", bytes, value: "value_json.resident_memory", class: "data_size", isEnabled: false),
]

private let count = EntityKind.sensor(stateClass: "measurement")
private let bytes = EntityKind.sensor(unit: "B", stateClass: "measurement")

private let connectionRows: [Entity] = [
    Entity("connection", .binarySensor, value: "'ON' if value == 'online' else 'OFF'", class: "connectivity")
]

private let levelRows = [
    Entity(
        "log_level",
        .select(
            command: #"{"log_level": {{ value | lower | tojson }}}"#,
            options: Logger.Level.allCases.map { plainWord($0.rawValue) }
        ),
        value: "value_json.options.log_level | capitalize",
        icon: "text-box-search-outline",
        category: .config
    )
]

private let restartRows = [Entity("restart", .button(payload: "{}"), class: "restart", category: .config)]

/// How the bridge itself appears in Home Assistant: the device through which all printers are reached.
func bridgeDiscovery(in context: RenderContext) -> DeviceDiscovery {
    let topics = context.topics
    let health = Int(BridgeHealth.interval * 2.5)
    var groups = [
        EntityGroup(entities: infoRows, stateTopic: topics.bridgeInfo),
        EntityGroup(entities: healthRows, stateTopic: topics.bridgeHealth, expireAfter: health),
        EntityGroup(entities: levelRows, stateTopic: topics.bridgeInfo, commandTopic: topics.request("options")),
        EntityGroup(entities: restartRows, commandTopic: topics.request("restart")),
    ]
    // The connection entity stays available while the bridge is offline. All others become unavailable.
    for index in groups.indices { groups[index].availability = context.availability() }
    groups.append(EntityGroup(entities: connectionRows, stateTopic: topics.bridgeAvailability))
    var device = context.device(of: .bridge, named: "printer2mqtt")
    device.model = "Bridge"
    device.softwareVersion = context.version
    device.configurationURL = context.pageURL
    device.groups = groups
    return device
}
