import JSON

/// One entity of a device.
///
/// Fields of all platforms are here; those of one platform are in ``kind``. The topics are in the ``EntityGroup``.
struct Entity: Sendable, Hashable {
    enum Category: String, Sendable, Hashable {
        /// A setting. Not allowed for sensors.
        case config
        /// A reading that is not what the device is for.
        case diagnostic
    }

    /// Values that Home Assistant shows beside the state, from a JSON object.
    struct Attributes: Sendable, Hashable {
        /// The topic of the object; nil for the state's.
        var topic: String?
        /// Makes the object of the payload; nil where the payload is the object.
        var template: String?
    }

    /// Identity in the device, and the end of the entity's id: a-z, 0-9 and the underscore; never changes.
    let key: String
    /// Shown after the device's name.
    let name: String
    let kind: EntityKind
    /// Where it is shown; nil is 'with the main controls'.
    let category: Category?
    let deviceClass: String?
    let attributes: Attributes?
    var isEnabledByDefault: Bool
    /// The members that are the same on all devices, as JSON: made once, because a table of entities serves many devices.
    private let members: [UInt8]

    /// Makes a row of a table of entities.
    ///
    /// `value` is a template's expression, or a template that begins with a statement. Without a name, the key is the name. An
    /// icon is one of Material Design, such as `printer-3d`.
    init(
        _ key: String,
        _ kind: EntityKind = .sensor(),
        value: String? = nil,
        name: String? = nil,
        icon: String? = nil,
        class deviceClass: String? = nil,
        category: Category? = .diagnostic,
        attributes: Attributes? = nil,
        isEnabled: Bool = true
    ) {
        let name = name ?? Self.name(of: key)
        self.key = key
        self.name = name
        self.kind = kind
        self.category = category
        self.deviceClass = deviceClass
        self.attributes = attributes
        isEnabledByDefault = isEnabled
        members = JSONWriter.members { json in
            json.member("name", name)
            json.member("icon", icon.map { "mdi:\($0)" })
            json.member("entity_category", category?.rawValue)
            json.member("device_class", deviceClass)
            json.member("value_template", value.map { $0.hasPrefix("{%") ? $0 : "{{ \($0) }}" })
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
    static func name(of key: String) -> String {
        let words = String(decoding: key.utf8.map { $0 == UInt8(ascii: "_") ? UInt8(ascii: " ") : $0 }, as: UTF8.self)
        return words.prefix(1).uppercased() + words.dropFirst()
    }

    /// A text as it may stand in an entity id after the platform: of a-z, 0-9 and the underscore.
    static func objectID(_ text: String) -> String { String(text.lowercased().map { $0.isPlain ? $0 : "_" }) }
}

extension Character {
    /// Whether it is an ASCII letter or digit.
    var isPlain: Bool { isASCII && (isLetter || isNumber) }
}
