import HomeAssistant

extension Entity {
    /// A reading of a topic; `value` is a template's expression.
    ///
    /// Its name follows from its key, see ``HomeAssistant/DeviceDiscovery``.
    static func reading(
        _ kind: EntityKind,
        of topic: String,
        _ value: String?,
        _ icon: String? = nil,
        class deviceClass: String? = nil
    ) -> Entity {
        Entity(
            kind: kind,
            icon: icon,
            category: .diagnostic,
            deviceClass: deviceClass,
            stateTopic: topic,
            valueTemplate: value.map { "{{ \($0) }}" }
        )
    }
}

extension RenderContext {
    /// Entities by key, with the names that follow from their keys and their device.
    func components(_ entities: [String: Entity], of device: String) -> [String: Entity] {
        var components = entities
        for key in components.keys {
            components[key]?.identify(in: deviceIdentifier(device), by: key, shownAs: entityPrefix(device))
            if components[key]?.name.isEmpty == true { components[key]?.name = plainName(of: key) }
        }
        return components
    }

    var origin: Origin { Origin(name: "printer2mqtt", softwareVersion: version) }
}

/// `stream_port` as people read it.
func plainName(of key: String) -> String {
    let words = key.replacing("_", with: " ")
    return words.prefix(1).uppercased() + words.dropFirst()
}

extension DeviceDiscovery {
    /// The platforms of the components, by the components' ids.
    var platforms: [String: String] { components.mapValues(\.kind.platform) }

    /// The payload as text; the values encoded are strings and numbers, which can't fail.
    var text: String { (try? payload()).map { String(decoding: $0, as: UTF8.self) } ?? "{}" }
}
