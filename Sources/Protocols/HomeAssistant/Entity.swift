import JSON

/// One entity of a device.
///
/// Fields of all platforms are here; those of one platform are in ``kind``. The topics are in the ``EntityGroup``.
package struct Entity: Sendable, Hashable {
    package enum Category: String, Sendable, Hashable {
        /// A setting. Not allowed for sensors.
        case config
        /// A reading that is not what the device is for.
        case diagnostic
    }

    /// Values that Home Assistant shows beside the state, from a JSON object.
    package struct Attributes: Sendable, Hashable {
        /// The topic of the object; nil for the state's.
        package var topic: String?
        /// Makes the object of the payload; nil where the payload is the object.
        package var template: String?

        package init(topic: String? = nil, template: String? = nil) { (self.topic, self.template) = (topic, template) }
    }

    /// Identity in the device, and the end of the entity's id: a-z, 0-9 and the underscore; never changes.
    package let key: String
    /// Shown after the device's name.
    package let name: String
    package let kind: EntityKind
    /// Where it is shown; nil is 'with the main controls'.
    package let category: Category?
    package let deviceClass: String?
    package let attributes: Attributes?
    package var isEnabledByDefault: Bool
    /// The members that are the same on all devices, as JSON: made once, because a table of entities serves many devices.
    private let members: [UInt8]

    /// Without a name, the key is the name; an icon is one of Material Design, such as `mdi:printer-3d`.
    package init(
        _ key: String,
        _ kind: EntityKind,
        name: String? = nil,
        icon: String? = nil,
        category: Category? = nil,
        deviceClass: String? = nil,
        valueTemplate: String? = nil,
        attributes: Attributes? = nil,
        isEnabledByDefault: Bool = true
    ) {
        let name = name ?? Self.name(of: key)
        self.key = key
        self.name = name
        self.kind = kind
        self.category = category
        self.deviceClass = deviceClass
        self.attributes = attributes
        self.isEnabledByDefault = isEnabledByDefault
        members = JSONWriter.members { json in
            json.member("name", name)
            json.member("icon", icon)
            json.member("entity_category", category?.rawValue)
            json.member("device_class", deviceClass)
            json.member("value_template", valueTemplate)
            json.member("json_attributes_template", attributes?.template)
            kind.write(to: &json)
        }
    }

    /// Writes the members that all platforms share, those of ``kind`` and those of the group, as Home Assistant wants them.
    func write(to json: inout JSONWriter, in group: EntityGroup) {
        json.add(members)
        if let attributes { json.member("json_attributes_topic", attributes.topic ?? group.stateTopic) }
        if !isEnabledByDefault { json.member("enabled_by_default", false) }
        group.write(to: &json)
    }

    /// A key as people read it: `stream_port` is `Stream port`.
    package static func name(of key: String) -> String {
        let words = String(decoding: key.utf8.map { $0 == UInt8(ascii: "_") ? UInt8(ascii: " ") : $0 }, as: UTF8.self)
        return words.prefix(1).uppercased() + words.dropFirst()
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
