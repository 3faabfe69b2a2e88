import HomeAssistant

extension Entity {
    /// A row of a table of readings; `value` is a template's expression.
    static func reading(
        _ key: String,
        _ value: String?,
        _ kind: EntityKind = .sensor(),
        name: String? = nil,
        icon: String? = nil,
        class deviceClass: String? = nil,
        category: Category? = .diagnostic,
        attributes: Attributes? = nil,
        isEnabled: Bool = true
    ) -> Entity {
        Entity(
            key,
            kind,
            name: name,
            icon: icon.map { "mdi:\($0)" },
            category: category,
            deviceClass: deviceClass,
            valueTemplate: value.map { "{{ \($0) }}" },
            attributes: attributes,
            isEnabledByDefault: isEnabled
        )
    }
}

extension RenderContext {
    var origin: Origin { Origin(name: "printer2mqtt", softwareVersion: version) }

    /// The topics that all have to say `online`: the bridge's, and the condition's if there is one.
    func availability(and condition: Availability? = nil) -> [Availability] {
        let bridge = Availability(topic: topics.bridgeAvailability)
        return condition.map { [bridge, $0] } ?? [bridge]
    }
}
