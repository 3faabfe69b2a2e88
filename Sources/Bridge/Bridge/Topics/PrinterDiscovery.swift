import HomeAssistant
import PrinterLink
import Printers
import RTSP
import StoredSettings

func discovery(of id: PrinterID, _ inputs: DeviceInputs, in context: RenderContext) -> DeviceDiscovery {
    var entities = settingEntities(of: id, in: context)
        .merging(streamEntities(of: id, inputs, in: context)) { $1 }
        .merging(actions(of: id, inputs, in: context)) { $1 }
    if inputs.model == .other {
        for key in ["camera_url", "stream_user"] { entities[key]?.isEnabledByDefault = true }
        entities["printer_ip"]?.isEnabledByDefault = false
    }
    if inputs.hasTelemetry { entities.merge(printEntities(of: id, inputs.equipment, in: context)) { $1 } }
    var device = DeviceDiscovery(
        device: Device(
            identifiers: [context.deviceIdentifier(id.description)],
            name: inputs.name,
            manufacturer: inputs.model == .other ? nil : "Bambu Lab",
            model: inputs.model.displayName,
            serialNumber: inputs.serial.isEmpty ? nil : inputs.serial,
            configurationURL: context.pageURL.map { "\($0)#edit/\(id)" },
            viaDevice: context.deviceIdentifier("bridge")
        ),
        origin: context.origin,
        availability: [Availability(topic: context.topics.bridgeAvailability)],
        components: context.components(entities, of: id.description)
    )
    device.removed = inputs.removed
    return device
}

private func actions(of id: PrinterID, _ inputs: DeviceInputs, in context: RenderContext) -> [String: Entity] {
    let topics = context.topics
    func button(_ verb: String, _ icon: String, _ category: Entity.Category? = nil) -> Entity {
        let kind = EntityKind.button(topic: topics.request("printer/\(verb)"), payload: #"{"printer": "\#(id)"}"#)
        return Entity(kind: kind, icon: icon, category: category)
    }
    /// Available while the bridge is, and while a condition holds for what a topic says.
    func available(if condition: String, on topic: String) -> [Availability] {
        let template = "{{ 'online' if \(condition) else 'offline' }}"
        return [Availability(topic: topics.bridgeAvailability), Availability(topic: topic, template: template)]
    }
    var updateAddress = button("update_address", "mdi:ip-network-outline", .config)
    updateAddress.availability = available(
        if: "value_json.announced_ip_proof == 'proven'",
        on: topics.config(id)
    )
    var acceptCertificate = button("accept_certificate", "mdi:certificate-outline", .config)
    // What the button shows at the time is accepted, not what a probe has seen since.
    acceptCertificate.kind = .button(
        topic: topics.request("printer/accept_certificate"),
        payload: "PRESS",
        template: #"{"printer": "\#(id)", "fingerprint": "{{ this.attributes.fingerprint }}"}"#
    )
    acceptCertificate.jsonAttributesTopic = topics.stream(id)
    acceptCertificate.jsonAttributesTemplate = "{{ (value_json.certificate or {}) | tojson }}"
    acceptCertificate.availability = available(
        if: """
            value_json.reason in ['certificate_changed', 'server_unproven'] \
            and value_json.certificate and value_json.certificate.trust == 'pinned'
            """,
        on: topics.stream(id)
    )
    let snapshot = topics.snapshot(id)
    let printEvents = inputs.hasTelemetry ? PrintEvent.Kind.allCases.map(\.rawValue) : []
    let event = EntityKind.event(types: PrinterEvent.Kind.allCases.map(\.rawValue) + printEvents)
    return [
        "probe_now": button("probe", "mdi:stethoscope", .diagnostic),
        "take_snapshot": button("snapshot", "mdi:camera"),
        "snapshot": Entity(kind: .image(topic: snapshot), icon: "mdi:image"),
        "snapshot_camera": Entity(kind: .camera(topic: snapshot), isEnabledByDefault: false),
        "update_address": updateAddress,
        "accept_certificate": acceptCertificate,
        "event": Entity(kind: event, icon: "mdi:bell-outline", stateTopic: topics.event(id)),
    ]
}

extension PrinterModel {
    /// As the maker writes it; nil while it is not known.
    fileprivate var displayName: String? {
        switch self {
        case .auto, .other: nil
        case .a1Mini: "A1 mini"
        case .h2dPro: "H2D Pro"
        default: rawValue.uppercased()
        }
    }
}
