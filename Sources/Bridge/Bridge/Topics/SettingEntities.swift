import Printers
import StoredSettings

/// The entities that edit a printer's settings, one for each setting in the schema.
///
/// Their state is what the bridge reports, never what was typed.
func settingEntities(of id: PrinterID, _ inputs: DeviceInputs, in context: RenderContext) -> EntityGroup {
    EntityGroup(
        entities: inputs.model == .other ? rowsOfOtherCameras : settingRows,
        stateTopic: context.topics.config(id),
        commandTopic: context.topics.configSet(id)
    )
}

private let settingRows: [Entity] = PrinterSettings.schema.descriptors.compactMap { setting in
    guard let kind = kind(of: setting) else { return nil }
    let presentation = presentations[setting.name]
    let value = "value_json.\(setting.name)"
    let shown =
        switch setting.type {
        case .bool: "'ON' if \(value) else 'OFF'"
        case .choice(.string, let values): plainWord(of: value, among: values.compactMap(\.stringValue))
        default: value
        }
    return Entity(
        setting.name,
        kind,
        value: shown,
        name: PrinterSettings.title(of: setting.name),
        icon: presentation?.icon ?? "tune",
        category: .config,
        attributes: setting.isSecret ? .init(template: recorderNote) : nil,
        isEnabled: presentation?.isEnabled ?? false
    )
}

/// What a person should know before typing a secret.
private let recorderNote = #"""
    {{ {"Note": "Home Assistant's recorder keeps what is typed here. The bridge's page and 'printer set' do not."} | tojson }}
    """#

/// The rows for another maker's camera: its address is in another setting.
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
        let words = values.compactMap(\.stringValue)
        let value = word(ofPlain: "value", among: words)
        return .select(command: command("\(value) | tojson"), options: words.map(plainWord))
    case .string, .secret(.string):
        // No constraints: Home Assistant would log an invalid value, perhaps a secret, in clear. The bridge checks.
        let isRequired = setting.constraints.length.map { $0.lowerBound > 0 } ?? false
        // An empty text sets the default.
        let value = isRequired ? "(value or none) | tojson" : "value | tojson"
        return .text(command: command(value), isPassword: setting.isSecret)
    default:
        return nil
    }
}

/// What the schema does not tell of a setting; an entity that most owners never change is disabled at first.
private struct Presentation {
    var icon: String
    var unit: String?
    var isEnabled = false
}

private let presentations: [String: Presentation] = [
    "printer_ip": Presentation(icon: "ip-network", isEnabled: true),
    "camera_url": Presentation(icon: "cctv"),
    "login_in_clear": Presentation(icon: "lock-open-variant-outline"),
    "access_code": Presentation(icon: "key", isEnabled: true),
    "name": Presentation(icon: "label"),
    "model": Presentation(icon: "printer-3d", isEnabled: true),
    "probe_interval": Presentation(icon: "timer-outline", unit: "s"),
    "snapshot_interval": Presentation(icon: "camera-timer", unit: "s", isEnabled: true),
    "picture_checks": Presentation(icon: "image-search-outline"),
    "probe_enabled": Presentation(icon: "stethoscope", isEnabled: true),
    "serial": Presentation(icon: "identifier", isEnabled: true),
    "witness": Presentation(icon: "eye-check-outline"),
    "telemetry": Presentation(icon: "printer-3d-nozzle-outline", isEnabled: true),
    "recorder": Presentation(icon: "record-rec"),
    "timelapse": Presentation(icon: "timelapse"),
    "certificate": Presentation(icon: "certificate-outline"),
    "follow_address": Presentation(icon: "ip-network-outline"),
]
