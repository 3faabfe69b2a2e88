import HomeAssistant
import RTSP
import StoredSettings

/// What the probe saw.
func streamEntities(
    of id: PrinterID,
    _ inputs: DeviceInputs,
    in context: RenderContext
) -> [(String, Entity)] {
    let topics = context.topics
    // The entities expire after 2.5 × the longest probe interval.
    let expiry = max(inputs.probeInterval, Int(ProbeSchedule<PrinterID>.longestBackOff)) * 5 / 2
    func reading(
        _ key: String,
        _ name: String,
        _ kind: EntityKind,
        topic: String,
        icon: String? = nil,
        deviceClass: String? = nil,
        template: String? = nil,
        expires: Bool = true,
        isEnabled: Bool = true
    ) -> (String, Entity) {
        let entity = Entity(
            name: name,
            kind: kind,
            icon: icon,
            category: .diagnostic,
            deviceClass: deviceClass,
            stateTopic: topic,
            valueTemplate: template,
            // Without a probe there are no updates that could fail to come.
            expireAfter: expires && inputs.isProbed ? expiry : nil,
            isEnabledByDefault: isEnabled
        )
        return (key, entity)
    }
    var health = reading(
        "stream_health",
        "Stream",
        .binarySensor,
        topic: topics.stream(id),
        deviceClass: "connectivity",
        template: """
            {{ 'ON' if value_json.status in ['healthy', 'degraded'] else 'OFF' if value_json.status == 'down' else 'None' }}
            """
    )
    health.1.category = nil
    health.1.jsonAttributesTopic = topics.stream(id)
    return [
        health,
        reading(
            "stream_status",
            "Stream status",
            .sensor(options: StreamStatus.allCases.map(\.rawValue)),
            topic: topics.stream(id),
            icon: "mdi:heart-pulse",
            deviceClass: "enum",
            template: "{{ value_json.status }}"
        ),
        reading(
            "stream_reason",
            "Stream reason",
            .sensor(options: [noReason] + ProbeReason.allCases.map(\.rawValue) + PictureFault.allCases.map(\.rawValue)),
            topic: topics.stream(id),
            icon: "mdi:help-circle-outline",
            deviceClass: "enum",
            template: "{{ value_json.reason or '\(noReason)' }}"
        ),
        reading(
            "stream_hint",
            "Stream hint",
            .sensor(),
            topic: topics.stream(id),
            icon: "mdi:lightbulb-on-outline",
            template: "{{ value_json.hint or 'none' }}"
        ),
        reading(
            "stream_url",
            "Stream URL",
            .sensor(),
            topic: topics.config(id),
            icon: "mdi:cctv",
            // Longer than 255 is a warning in Home Assistant's log.
            template: "{{ value_json.stream_url | truncate(255, true, '…', 0) if value_json.stream_url else None }}",
            expires: false
        ),
        reading(
            "stream_latency",
            "Stream latency",
            .sensor(unit: "ms", stateClass: "measurement"),
            topic: topics.stream(id),
            deviceClass: "duration",
            template:
                "{{ (value_json.latency_ms.values() | sum) if not value_json.reason and value_json.latency_ms else None }}",
            isEnabled: false
        ),
        reading(
            "last_check",
            "Last check",
            .sensor(),
            topic: topics.stream(id),
            deviceClass: "timestamp",
            template: "{{ value_json.checked_at }}",
            // A time tells its age by itself, and there is none before the first probe.
            expires: false
        ),
        reading(
            "last_healthy",
            "Last healthy",
            .sensor(),
            topic: topics.stream(id),
            deviceClass: "timestamp",
            template: "{{ value_json.last_healthy_at }}",
            expires: false
        ),
        reading(
            "picture_taken",
            "Picture taken",
            .sensor(),
            topic: topics.snapshotTime(id),
            icon: "mdi:camera-timer",
            deviceClass: "timestamp",
            expires: false
        ),
        reading(
            "certificate_expiry",
            "Certificate expiry",
            .sensor(),
            topic: topics.stream(id),
            deviceClass: "timestamp",
            template: "{{ value_json.certificate.not_after if value_json.certificate else None }}",
            isEnabled: false
        ),
        reading(
            "revision",
            "Revision",
            .sensor(),
            topic: topics.config(id),
            icon: "mdi:counter",
            template: "{{ value_json.meta.revision }}",
            expires: false,
            isEnabled: false
        ),
        reading(
            "configured",
            "Configured",
            .binarySensor,
            topic: topics.config(id),
            icon: "mdi:check-decagram-outline",
            template: "{{ 'ON' if value_json.configured else 'OFF' }}",
            expires: false
        ),
    ]
}
