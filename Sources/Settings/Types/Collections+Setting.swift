extension Array: SettingRepresentable where Element: SettingRepresentable {
    /// A list.
    public static var settingType: SettingType { .array(Element.settingType) }

    /// A stored list, if every element fits.
    public init?(stored: SettingValue) {
        guard let values = stored.arrayValue else { return nil }
        let elements = values.compactMap(Element.init(stored:))
        guard elements.count == values.count else { return nil }
        self = elements
    }

    /// The list as it is stored.
    public var stored: SettingValue { .array(map(\.stored)) }
}

extension Set: SettingRepresentable where Element: SettingRepresentable {
    /// A list without repetitions.
    public static var settingType: SettingType { .set(Element.settingType) }

    /// A stored list, if every element fits and none occurs twice.
    public init?(stored: SettingValue) {
        guard let elements = [Element](stored: stored) else { return nil }
        self.init(elements)
        guard count == elements.count else { return nil }
    }

    /// The elements as they are stored, in an order that depends on them alone.
    public var stored: SettingValue {
        .array(map(\.stored).map { ($0, $0.json()) }.sorted { $0.1 < $1.1 }.map(\.0))
    }
}

extension Dictionary: SettingRepresentable where Key == String, Value: SettingRepresentable {
    /// Values by name.
    public static var settingType: SettingType { .dictionary(Value.settingType) }

    /// A stored object, if every value fits.
    public init?(stored: SettingValue) {
        guard let members = stored.objectValue else { return nil }
        self = members.compactMapValues(Value.init(stored:))
        guard count == members.count else { return nil }
    }

    /// The object as it is stored.
    public var stored: SettingValue { .object(mapValues(\.stored)) }
}
