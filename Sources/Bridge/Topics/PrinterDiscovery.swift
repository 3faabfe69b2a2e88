import HomeAssistant
import RTSP
import StoredSettings

/// How a printer appears in Home Assistant.
func discovery(of id: PrinterID, _ inputs: DeviceInputs, in context: RenderContext) -> DeviceDiscovery {
    let identifier = context.deviceIdentifier(id.description)
    var components: [String: Entity] = [:]
    let entities =
        settingEntities(of: id, in: context) + streamEntities(of: id, inputs, in: context)
        + actions(of: id, in: context)
    for (key, var entity) in entities {
        entity.identify(in: identifier, by: key, shownAs: context.entityPrefix(id.description))
        components[key] = entity
    }
    return DeviceDiscovery(
        device: Device(
            identifiers: [identifier],
            name: inputs.name,
            manufacturer: "Bambu Lab",
            model: inputs.model.displayName,
            serialNumber: inputs.serial.isEmpty ? nil : inputs.serial,
            viaDevice: context.deviceIdentifier("bridge")
        ),
        origin: context.origin,
        availability: [Availability(topic: context.topics.bridgeAvailability)],
        components: components
    )
}

/// What can be done with a printer, and what happens to it.
private func actions(of id: PrinterID, in context: RenderContext) -> [(String, Entity)] {
    let topics = context.topics
    return [
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
            "take_picture",
            Entity(
                name: "Take picture",
                kind: .button(topic: topics.request("printer/snapshot"), payload: #"{"printer": "\#(id)"}"#),
                icon: "mdi:camera"
            )
        ),
        (
            "picture",
            Entity(
                name: "Picture",
                kind: .image(topic: topics.snapshot(id), contentType: "image/jpeg"),
                icon: "mdi:image"
            )
        ),
        (
            "update_address",
            Entity(
                name: "Update address",
                kind: .button(topic: topics.request("printer/update_address"), payload: #"{"printer": "\#(id)"}"#),
                icon: "mdi:ip-network-outline",
                category: .config,
                availability: [
                    Availability(topic: topics.bridgeAvailability),
                    Availability(
                        topic: topics.config(id),
                        template: "{{ 'online' if value_json.announced_ip_proof == 'proven' else 'offline' }}"
                    ),
                ]
            )
        ),
        (
            "accept_certificate",
            Entity(
                name: "Accept certificate",
                // What the button shows at the time is accepted, not what a probe has seen since.
                kind: .button(
                    topic: topics.request("printer/accept_certificate"),
                    payload: "PRESS",
                    template: #"{"printer": "\#(id)", "fingerprint": "{{ this.attributes.fingerprint }}"}"#
                ),
                icon: "mdi:certificate-outline",
                category: .config,
                jsonAttributesTopic: topics.stream(id),
                jsonAttributesTemplate: "{{ (value_json.certificate or {}) | tojson }}",
                availability: [
                    Availability(topic: topics.bridgeAvailability),
                    Availability(
                        topic: topics.stream(id),
                        template: """
                            {{ 'online' if value_json.reason in ['certificate_changed', 'server_unproven'] \
                            and value_json.certificate and value_json.certificate.trust == 'pinned' else 'offline' }}
                            """
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
