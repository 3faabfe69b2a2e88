package import Foundation

/// The retained payload by which one device and all its entities appear in Home Assistant.
///
/// Published on ``topic(prefix:)``; an empty retained message there removes the device. Home Assistant refuses the whole
/// payload for one unknown key at the top, so nothing here is free-form: see
/// <https://www.home-assistant.io/integrations/mqtt/#device-discovery-payload>.
package struct DeviceDiscovery: Sendable, Hashable, Encodable {
    package var device: Device
    package var origin: Origin
    /// Topics that all have to say `online` for the entities to be available.
    package var availability: [Availability]
    /// The entities by component id (`[a-zA-Z0-9_-]`); an id keeps its platform for ever.
    package var components: [String: Entity]
    /// Entities that are to disappear: their platforms by component id.
    ///
    /// Home Assistant keeps an entity that is left out, and removes one that has only its platform.
    package var removed: [String: String] = [:]

    package init(device: Device, origin: Origin, availability: [Availability], components: [String: Entity]) {
        self.device = device
        self.origin = origin
        self.availability = availability
        self.components = components
    }

    /// The discovery topic: `<prefix>/device/<first identifier>/config`.
    package func topic(prefix: String) -> String {
        "\(prefix)/device/\(device.identifiers.first ?? "")/config"
    }

    /// The payload as JSON with sorted keys, so that equal values give equal bytes.
    package func payload() throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return try encoder.encode(self)
    }

    package func encode(to encoder: any Encoder) throws {
        try encoder.encode([
            "device": device, "origin": origin, "availability": availability, "availability_mode": "all",
            "components": components.mapValues(Component.present).merging(removed.mapValues(Component.removed)) { $1 },
            "qos": 1,
        ])
    }

    private enum Component: Encodable {
        case present(Entity)
        case removed(String)

        func encode(to encoder: any Encoder) throws {
            switch self {
            case .present(let entity): try entity.encode(to: encoder)
            case .removed(let platform): try encoder.encode(["platform": platform])
            }
        }
    }
}
