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
    let entities =
        settingEntities(of: printer.id, in: context) + streamEntities(of: printer, in: context)
        + actions(of: printer, in: context)
    for (key, var entity) in entities {
        entity.identify(in: identifier, by: key, shownAs: context.entityPrefix(printer.id.description))
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

/// What can be done with a printer, and what happens to it.
private func actions(of printer: Printer, in context: RenderContext) -> [(String, Entity)] {
    let id = printer.id
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
