import HomeAssistant
import Printers
import StoredSettings

/// The entities that edit a printer's settings, one for each setting in the schema.
///
/// Their state is what the bridge reports, never what was typed.
func settingEntities(of id: PrinterID, in context: RenderContext) -> [String: Entity] {
    PrinterSettings.schema.descriptors.reduce(into: [:]) { entities, setting in
        guard let kind = kind(of: setting, topic: context.topics.configSet(id)) else { return }
        let presentation = presentations[setting.name]
        let value = "value_json.\(setting.name)"
        entities[setting.name] = Entity(
            name: presentation?.name ?? "",
            kind: kind,
            icon: presentation?.icon ?? "mdi:tune",
            category: .config,
            stateTopic: context.topics.config(id),
            valueTemplate: setting.type == .bool ? "{{ 'ON' if \(value) else 'OFF' }}" : "{{ \(value) }}",
            isEnabledByDefault: presentation?.isEnabled ?? false
        )
    }
}

/// The kind of entity that edits a setting; nil if Home Assistant has none.
private func kind(of setting: SettingDescriptor, topic: String) -> EntityKind? {
    func command(_ value: String) -> EntityKind.Command {
        EntityKind.Command(topic: topic, template: #"{"\#(setting.name)": {{ \#(value) }}}"#)
    }
    switch setting.type {
    case .bool:
        return .switch(
            topic: topic,
            payloadOn: #"{"\#(setting.name)": true}"#,
            payloadOff: #"{"\#(setting.name)": false}"#
        )
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
    presentations[setting.name]?.name ?? plainName(of: setting.name)
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
    "certificate": Presentation(name: "Certificate trust", icon: "mdi:certificate-outline", isEnabled: false),
    "follow_address": Presentation(icon: "mdi:ip-network-outline", isEnabled: false),
]
