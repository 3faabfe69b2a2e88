import CameraProtocols
import Cameras
import Printers
import StoredSettings

func streamEntities(of id: PrinterID, in context: RenderContext) -> [EntityGroup] {
    let topics = context.topics
    return [
        // Without `expire_after`: with each change of the device's name Home Assistant takes the values as expired.
        EntityGroup(entities: streamRows, stateTopic: topics.stream(id)),
        EntityGroup(entities: configRows, stateTopic: topics.config(id)),
        EntityGroup(entities: resultRows, stateTopic: topics.configResult(id)),
        EntityGroup(entities: cameraRows, stateTopic: topics.camera(id)),
        EntityGroup(entities: snapshotRows, stateTopic: topics.pictureTime(PublishedPicture(of: id))),
    ]
}

private let streamRows: [Entity] = [
    Entity("camera", value: cameraText, icon: "cctv", category: nil, attributes: .init(template: cameraAttributes)),
    Entity(
        "stream_health",
        .binarySensor,
        value:
            "'ON' if value_json.status in ['healthy', 'degraded'] else 'OFF' if value_json.status == 'down' else 'None'",
        name: "Stream",
        class: "connectivity",
        isEnabled: false
    ),
    choice("stream_status", "value_json.status", statuses, icon: "heart-pulse"),
    choice("stream_reason", reason, reasons, icon: "help-circle-outline"),
    Entity(
        "stream_latency",
        .sensor(unit: "ms", stateClass: "measurement"),
        value: "(value_json.latency_ms.values() | sum) if not value_json.reason and value_json.latency_ms else None",
        class: "duration",
        isEnabled: false
    ),
    Entity(
        "certificate_expiry",
        value: "value_json.certificate.not_after if value_json.certificate else None",
        class: "timestamp",
        isEnabled: false
    ),
    Entity("viewer_url", value: "value_json.viewer_url", name: "Live view", icon: "cctv"),
    Entity("last_probe", value: "value_json.checked_at", class: "timestamp", isEnabled: false),
    Entity("last_healthy", value: "value_json.last_healthy_at", class: "timestamp", isEnabled: false),
]

private let configRows: [Entity] = [
    Entity("stream_url", value: streamURL, name: "Stream URL", icon: "cctv", isEnabled: false),
    Entity("revision", value: "value_json.meta.revision", icon: "counter", isEnabled: false),
    Entity("configured", .binarySensor, value: isConfigured, icon: "check-decagram-outline", isEnabled: false),
]

private let resultRows: [Entity] = [Entity("last_change", value: lastChange, icon: "message-alert-outline")]

private let cameraRows: [Entity] = [
    choice("camera_holder", "value_json.holder or '\(noReason)'", holders, icon: "cctv")
]

private let snapshotRows: [Entity] = [
    Entity("snapshot_taken", name: "Picture taken", icon: "camera-timer", class: "timestamp", isEnabled: false)
]

/// A sensor of one of several words; disabled at first.
private func choice(_ key: String, _ value: String, _ words: [String], icon: String) -> Entity {
    Entity(
        key,
        .sensor(options: words.map(plainWord)),
        value: plainWord(of: value, among: words),
        icon: icon,
        class: "enum",
        isEnabled: false
    )
}

private let statuses = StreamStatus.allCases.map(\.rawValue)
private let reasons =
    [noReason] + ProbeReason.allCases.map(\.rawValue) + PictureFault.allCases.map(\.rawValue)
private let holders = [noReason] + CameraStatus.Holder.allCases.map(\.rawValue)

/// What to do about the camera, or that nothing has to be done: the one row of the stream.
private let cameraText = hintTemplate(
    or: """
        {'healthy': 'Works', 'unknown': 'Not probed yet', 'unconfigured': 'Not set up', 'disabled': 'Not probed'}\
        .get(value_json.status, value_json.message or value_json.status)
        """
)

private let cameraAttributes = """
    {% set keys = ['status', 'reason', 'message', 'hint', 'since', 'last_healthy_at', 'viewer_url', 'certificate', 'witness'] %}\
    {{ dict(value_json.items() | selectattr(0, 'in', keys)) | tojson }}
    """

private let reason = "value_json.reason or '\(noReason)'"
// Longer than 255 is a warning in Home Assistant's log.
private let streamURL = "value_json.stream_url | truncate(255, true, '…', 0) if value_json.stream_url else None"
private let isConfigured = "'ON' if value_json.configured else 'OFF'"

/// A hint with titles in place of setting names, except in commands (`printer_ip=…`); without a hint, `other`.
///
/// It has at most 255 characters, the limit of a state in Home Assistant.
func hintTemplate(or other: String) -> String {
    let named = PrinterSettings.schema.descriptors.filter { $0.name.contains("_") || $0.name == "serial" }
        .reduce("(value_json.hint or \(other))") {
            "\($0) | regex_replace('\($1.name)(?!=| number)', '\(PrinterSettings.title(of: $1.name))')"
        }
    return "\(named) | truncate(255, true, '…', 0)"
}

/// The status of the last configuration message, or why it was refused.
private let lastChange = """
    ((value_json.errors[0].path ~ ' ' ~ value_json.errors[0].message) if value_json.errors else value_json.status) \
    | trim | truncate(255, true, '…', 0)
    """
