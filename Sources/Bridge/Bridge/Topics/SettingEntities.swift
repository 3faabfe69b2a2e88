import HomeAssistant
import Printers
import StoredSettings

/// The entities that edit a printer's settings, one for each setting in the schema.
///
/// Their state is what the bridge reports, never what was typed.
func settingEntities(of id: PrinterID, _ inputs: DeviceInputs, in context: RenderContext) -> EntityGroup {
    EntityGroup(
        inputs.model == .other ? rowsOfOtherCameras : settingRows,
        stateTopic: context.topics.config(id),
        commandTopic: context.topics.configSet(id)
    )
}

private let settingRows: [Entity] = PrinterSettings.schema.descriptors.compactMap { setting in
    guard let kind = kind(of: setting) else { return nil }
    let presentation = presentations[setting.name]
    let value = "value_json.\(setting.name)"
    return Entity(
        setting.name,
        kind,
        name: presentation?.name,
        icon: presentation?.icon ?? "mdi:tune",
        category: .config,
        valueTemplate: setting.type == .bool ? "{{ 'ON' if \(value) else 'OFF' }}" : "{{ \(value) }}",
        isEnabledByDefault: presentation?.isEnabled ?? false
    )
}

/// The same for a camera that is not of the maker's printers: its address is another setting.
private let rowsOfOtherCameras = settingRows.map { row in
    var row = row
    row.isEnabledByDefault =
        ["camera_url": true, "stream_user": true, "printer_ip": false][row.key] ?? row.isEnabledByDefault
    return row
}

/// The kind of entity that edits a setting; nil if Home Assistant has none.
private func kind(of setting: SettingDescriptor) -> EntityKind? {
    func command(_ value: String) -> String { #"{"\#(setting.name)": {{ \#(value) }}}"# }
    switch setting.type {
    case .bool:
        return .switch(payloadOn: #"{"\#(setting.name)": true}"#, payloadOff: #"{"\#(setting.name)": false}"#)
    case .integer:
        guard let range = setting.constraints.range else { return nil }
        // The default is always accepted.
        let least = min(range.lowerBound, setting.defaultValue.intValue ?? range.lowerBound)
        return .number(
            command: command("value | int"),
            range: least...range.upperBound,
            // Nothing between the default and the least value is offered.
            step: least < range.lowerBound ? range.lowerBound - least : nil,
            unit: presentations[setting.name]?.unit
        )
    case .choice(.string, let values):
        return .select(command: command("value | tojson"), options: values.compactMap(\.stringValue))
    case .string, .secret(.string):
        // No constraints: Home Assistant logs a value that breaks one in clear. The bridge checks.
        let isRequired = setting.constraints.length.map { $0.lowerBound > 0 } ?? false
        // An empty text sets the default.
        let value = isRequired ? "(value or none) | tojson" : "value | tojson"
        return .text(command: command(value), isPassword: setting.isSecret)
    default:
        return nil
    }
}

/// What the schema does not tell of a setting; without a presentation, a person must enable the entity first.
private struct Presentation {
    var name: String?
    var icon: String
    var unit: String?
    var isEnabled = true
}

func plainName(of setting: SettingDescriptor) -> String {
    presentations[setting.name]?.name ?? Entity.name(of: setting.name)
}

private let presentations: [String: Presentation] = [
    "printer_ip": Presentation(name: "Address", icon: "mdi:ip-network"),
    "camera_url": Presentation(name: "Camera URL", icon: "mdi:cctv", isEnabled: false),
    "login_in_clear": Presentation(icon: "mdi:lock-open-variant-outline", isEnabled: false),
    "access_code": Presentation(icon: "mdi:key"),
    "name": Presentation(icon: "mdi:label"),
    "model": Presentation(icon: "mdi:printer-3d"),
    "probe_interval": Presentation(icon: "mdi:timer-outline", unit: "s"),
    "snapshot_interval": Presentation(name: "Snapshot interval", icon: "mdi:camera-timer", unit: "s"),
    "picture_checks": Presentation(name: "Snapshot faults", icon: "mdi:image-search-outline", isEnabled: false),
    "probe_enabled": Presentation(name: "Probing", icon: "mdi:stethoscope"),
    "serial": Presentation(name: "Serial number", icon: "mdi:identifier"),
    "witness": Presentation(icon: "mdi:eye-check-outline"),
    "telemetry": Presentation(icon: "mdi:printer-3d-nozzle-outline"),
    "recorder": Presentation(icon: "mdi:record-rec"),
    "certificate": Presentation(name: "Certificate trust", icon: "mdi:certificate-outline", isEnabled: false),
    "follow_address": Presentation(icon: "mdi:ip-network-outline", isEnabled: false),
]
