import HomeAssistant

@testable import Bridge
@testable import Printers

/// How a printer appears in Home Assistant.
func discovery(of printer: Printer, in context: RenderContext) -> DeviceDiscovery {
    discovery(of: printer.id, DeviceInputs(printer, in: context), in: context)
}

extension DeviceDiscovery {
    var entities: [Entity] { groups.flatMap(\.entities) }

    /// The entities by their keys.
    var components: [String: Entity] { Dictionary(entities.map { ($0.key, $0) }) { $1 } }

    /// The group of an entity.
    func group(of key: String) -> EntityGroup? { groups.first { $0.entities.contains { $0.key == key } } }

    var text: String { String(decoding: payload(), as: UTF8.self) }
}
