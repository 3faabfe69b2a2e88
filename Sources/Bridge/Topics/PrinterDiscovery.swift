import HomeAssistant
import RTSP
import Settings

/// How a printer appears in Home Assistant.
func discovery(of printer: Printer, in context: RenderContext) -> DeviceDiscovery {
    let identifier = context.deviceIdentifier(printer.id.description)
    let configuration = printer.configuration
    let serial = configuration[PrinterSettings.keys.serial]
    let model = configuration[PrinterSettings.keys.model]
    var components: [String: Entity] = [:]
    for (key, var entity) in settingEntities(of: printer, in: context) + streamEntities(of: printer, in: context) {
        entity.identify(in: identifier, by: key)
        components[key] = entity
    }
    return DeviceDiscovery(
        device: Device(
            identifiers: [identifier],
            name: printer.displayName,
            manufacturer: "Bambu Lab",
            model: model.displayName,
            serialNumber: serial.isEmpty ? nil : serial,
            viaDevice: context.deviceIdentifier("bridge")
        ),
        origin: context.origin,
        availability: [Availability(topic: context.topics.bridgeAvailability)],
        components: components
    )
}

/// The settings that can be edited.
///
/// Their state is what the bridge reports, never what was typed.
private func settingEntities(of printer: Printer, in context: RenderContext) -> [(String, Entity)] {
    let topics = context.topics
    func setting(_ key: String, _ name: String, _ kind: EntityKind, icon: String) -> (String, Entity) {
        let entity = Entity(
            name: name,
            kind: kind,
            icon: icon,
            category: .config,
            stateTopic: topics.config(printer.id),
            valueTemplate: "{{ value_json.\(key) }}"
        )
        return (key, entity)
    }
    func command(_ key: String, _ value: String = "value | tojson") -> EntityKind.Command {
        EntityKind.Command(topic: topics.configSet(printer.id), template: #"{"\#(key)": {{ \#(value) }}}"#)
    }
    var probing = setting(
        PrinterSettings.keys.probeEnabled.name,
        "Probing",
        .switch(
            topic: topics.configSet(printer.id),
            payloadOn: #"{"probe_enabled": true}"#,
            payloadOff: #"{"probe_enabled": false}"#
        ),
        icon: "mdi:stethoscope"
    )
    probing.1.valueTemplate = "{{ 'ON' if value_json.probe_enabled else 'OFF' }}"
    return [
        // No limits on the texts: Home Assistant logs a value that breaks one in clear. The bridge checks.
        setting("printer_ip", "Address", .text(command: command("printer_ip")), icon: "mdi:ip-network"),
        setting(
            "access_code",
            "Access code",
            .text(command: command("access_code"), isPassword: true),
            icon: "mdi:key"
        ),
        // Emptied, it is the id again.
        setting("name", "Name", .text(command: command("name", "(value or none) | tojson")), icon: "mdi:label"),
        setting(
            "model",
            "Model",
            .select(command: command("model"), options: PrinterModel.allCases.map(\.rawValue)),
            icon: "mdi:printer-3d"
        ),
        setting(
            "probe_interval",
            "Probe interval",
            .number(command: command("probe_interval", "value | int"), range: 15...86_400, unit: "s"),
            icon: "mdi:timer-outline"
        ),
        probing,
    ]
}

/// What the probe saw.
private func streamEntities(of printer: Printer, in context: RenderContext) -> [(String, Entity)] {
    let topics = context.topics
    let id = printer.id
    let interval = printer.configuration[PrinterSettings.keys.probeInterval]
    // What nobody probes does not go stale.
    let isProbed = ProbeTarget(printer.configuration) != nil
    // The longest a working bridge may be silent: a back-off, and half as much again.
    let expiry = max(interval, Int(ProbeSchedule<PrinterID>.longestBackOff)) * 5 / 2
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
            expireAfter: expires && isProbed ? expiry : nil,
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
            .sensor(options: [noReason] + ProbeReason.allCases.map(\.rawValue)),
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
        (
            "probe_now",
            Entity(
                name: "Probe now",
                kind: .button(topic: topics.request("printer/probe"), payload: #"{"printer": "\#(id)"}"#),
                icon: "mdi:stethoscope",
                category: .diagnostic
            )
        ),
        (
            "update_address",
            Entity(
                name: "Update address",
                kind: .button(topic: topics.configSet(id), payload: updateAddress(of: printer)),
                icon: "mdi:ip-network-outline",
                category: .config,
                availability: [
                    Availability(topic: topics.bridgeAvailability),
                    Availability(
                        topic: topics.config(id),
                        template: "{{ 'online' if value_json.announced_ip else 'offline' }}"
                    ),
                ]
            )
        ),
        (
            "event",
            Entity(
                name: "Event",
                kind: .event(types: PrinterEvent.Kind.allCases.map(\.rawValue)),
                icon: "mdi:bell-outline",
                stateTopic: topics.event(id)
            )
        ),
    ]
}

/// The wish that takes over the address at which the printer was heard.
private func updateAddress(of printer: Printer) -> String {
    StoredValue.object(printer.announcedAddress.map { ["printer_ip": StoredValue.string($0)] } ?? [:]).json()
}

extension PrinterModel {
    /// As the maker writes it; nil while it is not known.
    fileprivate var displayName: String? {
        switch self {
        case .auto: nil
        case .a1Mini: "A1 mini"
        case .h2dPro: "H2D Pro"
        default: rawValue.uppercased()
        }
    }
}
