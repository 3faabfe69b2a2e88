/// One entity of a device: what every platform shares, and what is its own in ``kind``.
package struct Entity: Sendable, Hashable, Encodable {
    package enum Category: String, Sendable, Hashable, Encodable {
        /// A setting. Not allowed for sensors.
        case config
        /// A reading that is not what the device is for.
        case diagnostic
    }

    /// Identity in Home Assistant's registry, see ``identify(in:by:shownAs:)``; never changes.
    package var uniqueID = ""
    /// What Home Assistant calls it at first, platform and all: `sensor.workshop_stream_status`; people may rename it.
    package var defaultEntityID: String?
    /// Shown after the device's name.
    package var name: String
    package var kind: EntityKind
    /// A Material Design icon, such as `mdi:printer-3d`.
    package var icon: String?
    /// Where it is shown; nil is 'with the main controls'.
    package var category: Category?
    package var deviceClass: String?
    package var stateTopic: String?
    package var valueTemplate: String?
    package var jsonAttributesTopic: String?
    package var jsonAttributesTemplate: String?
    /// After how many seconds without an update the entity is unavailable.
    package var expireAfter: Int?
    /// Topics that all have to say `online`, in the place of the device's; nil for those.
    package var availability: [Availability]?
    package var isEnabledByDefault: Bool

    package init(
        name: String = "",
        kind: EntityKind,
        icon: String? = nil,
        category: Category? = nil,
        deviceClass: String? = nil,
        stateTopic: String? = nil,
        valueTemplate: String? = nil,
        isEnabledByDefault: Bool = true
    ) {
        self.name = name
        self.kind = kind
        self.icon = icon
        self.category = category
        self.deviceClass = deviceClass
        self.stateTopic = stateTopic
        self.valueTemplate = valueTemplate
        self.isEnabledByDefault = isEnabledByDefault
    }

    /// Encodes the shared keys and those of ``kind`` into one object, as Home Assistant wants them.
    package func encode(to encoder: any Encoder) throws {
        let shared: Members = [
            "platform": kind.platform, "unique_id": uniqueID, "default_entity_id": defaultEntityID, "name": name,
            "icon": icon, "entity_category": category, "device_class": deviceClass, "state_topic": stateTopic,
            "value_template": valueTemplate, "json_attributes_topic": jsonAttributesTopic,
            "json_attributes_template": jsonAttributesTemplate, "expire_after": expireAfter,
            "availability": availability, "enabled_by_default": isEnabledByDefault ? nil : false,
        ]
        try encoder.encode(shared.merging(kind.members) { $1 })
    }
}

extension Entity {
    /// Gives it the two names that follow from its device and its key there.
    ///
    /// - Parameters:
    ///   - device: The device's identifier.
    ///   - key: The component's id; never changes.
    ///   - prefix: What its entity id begins with; need not be unique.
    package mutating func identify(in device: String, by key: String, shownAs prefix: String) {
        uniqueID = "\(device)_\(key)"
        defaultEntityID = "\(kind.platform).\(Self.objectID("\(prefix)_\(key)"))"
    }

    /// A text as it may stand in an entity id after the platform.
    package static func objectID(_ text: String) -> String {
        String(decoding: text.unicodeScalars.map(slug), as: UTF8.self)
    }

    /// A character as it may stand in an entity id: a-z, 0-9 and the underscore.
    private static func slug(_ scalar: Unicode.Scalar) -> UInt8 {
        switch scalar {
        case "a"..."z", "0"..."9": UInt8(scalar.value)
        case "A"..."Z": UInt8(scalar.value + 0x20)
        default: UInt8(ascii: "_")
        }
    }
}
