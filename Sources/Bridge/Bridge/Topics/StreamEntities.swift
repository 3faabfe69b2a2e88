import HomeAssistant
import Printers
import Probing
import RTSP
import StoredSettings

/// A hint with the names of the entities for those of the settings, except in commands (`printer_ip=…`).
let hintTemplate = PrinterSettings.schema.descriptors.filter { $0.name.contains("_") }
    .reduce("(value_json.hint or 'none')") { "\($0) | regex_replace('\($1.name)(?!=)', '\(plainName(of: $1))')" }

/// The status of the last configuration message, or why it was refused.
private let lastChange = """
    ((value_json.errors[0].path ~ ' ' ~ value_json.errors[0].message) if value_json.errors else value_json.status) \
    | trim | truncate(255, true, '…', 0)
    """

func streamEntities(of id: PrinterID, _ inputs: DeviceInputs, in context: RenderContext) -> [String: Entity] {
    let (stream, config) = (context.topics.stream(id), context.topics.config(id))
    let statuses = EntityKind.sensor(options: StreamStatus.allCases.map(\.rawValue))
    let reasons = EntityKind.sensor(
        options: [noReason] + ProbeReason.allCases.map(\.rawValue) + PictureFault.allCases.map(\.rawValue)
    )
    let holders = EntityKind.sensor(options: [noReason] + CameraStatus.Holder.allCases.map(\.rawValue))
    let milliseconds = EntityKind.sensor(unit: "ms", stateClass: "measurement")
    let health =
        "'ON' if value_json.status in ['healthy', 'degraded'] else 'OFF' if value_json.status == 'down' else 'None'"
    let reason = "value_json.reason or '\(noReason)'"
    // Longer than 255 is a warning in Home Assistant's log.
    let url = "value_json.stream_url | truncate(255, true, '…', 0) if value_json.stream_url else None"
    let latency = "(value_json.latency_ms.values() | sum) if not value_json.reason and value_json.latency_ms else None"
    let expiry = "value_json.certificate.not_after if value_json.certificate else None"
    let isConfigured = "'ON' if value_json.configured else 'OFF'"
    var entities: [String: Entity] = [
        "stream_health": .reading(.binarySensor, of: stream, health, class: "connectivity"),
        "stream_status": .reading(statuses, of: stream, "value_json.status", "mdi:heart-pulse", class: "enum"),
        "stream_reason": .reading(reasons, of: stream, reason, "mdi:help-circle-outline", class: "enum"),
        "stream_hint": .reading(.sensor(), of: stream, hintTemplate, "mdi:lightbulb-on-outline"),
        "stream_url": .reading(.sensor(), of: config, url, "mdi:cctv"),
        "stream_latency": .reading(milliseconds, of: stream, latency, class: "duration"),
        "last_probe": .reading(.sensor(), of: stream, "value_json.checked_at", class: "timestamp"),
        "last_healthy": .reading(.sensor(), of: stream, "value_json.last_healthy_at", class: "timestamp"),
        "certificate_expiry": .reading(.sensor(), of: stream, expiry, class: "timestamp"),
        "revision": .reading(.sensor(), of: config, "value_json.meta.revision", "mdi:counter"),
        "configured": .reading(.binarySensor, of: config, isConfigured, "mdi:check-decagram-outline"),
    ]
    let holder = "value_json.holder or '\(noReason)'"
    entities["camera_holder"] = .reading(holders, of: context.topics.camera(id), holder, "mdi:cctv", class: "enum")
    let snapshotTime = context.topics.snapshotTime(id)
    entities["snapshot_taken"] = .reading(.sensor(), of: snapshotTime, nil, "mdi:camera-timer", class: "timestamp")
    let result = context.topics.configResult(id)
    entities["last_change"] = .reading(.sensor(), of: result, lastChange, "mdi:message-alert-outline")
    entities["stream_url"]?.name = "Stream URL"
    entities["stream_health"]?.name = "Stream"
    // Read first when something is wrong.
    for key in ["stream_health", "stream_hint"] { entities[key]?.category = nil }
    entities["stream_health"]?.jsonAttributesTopic = stream
    for key in ["stream_latency", "certificate_expiry", "revision"] { entities[key]?.isEnabledByDefault = false }
    // Without routine probes nothing is published, so nothing may expire. A time shows its own age.
    for (key, entity) in entities
    where inputs.isProbed && entity.stateTopic == stream && !["last_probe", "last_healthy"].contains(key) {
        // 2.5 × the longest probe interval.
        entities[key]?.expireAfter = max(inputs.probeInterval, Int(ProbeSchedule.longestBackOff)) * 5 / 2
    }
    return entities
}
