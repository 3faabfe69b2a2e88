/// A type that says itself how its values are stored.
///
/// A type with raw values, and any other `Codable` type, can be a setting without the conformance. With it, the values can
/// also be in sets and in nested collections, and have a range.
public protocol SettingConvertible: Sendable, Hashable {
    /// What a schema says of the type.
    static var settingType: SettingType { get }

    /// The value that was stored, or nil when `stored` is of another kind.
    init?(stored: StoredValue)

    /// The value as it is stored.
    var stored: StoredValue { get }
}

extension SettingConvertible where Self: RawRepresentable, RawValue: SettingConvertible {
    /// The type of the raw values.
    public static var settingType: SettingType { RawValue.settingType }

    /// The case with the stored raw value.
    public init?(stored: StoredValue) {
        guard let raw = RawValue(stored: stored) else { return nil }
        self.init(rawValue: raw)
    }

    /// The raw value as it is stored.
    public var stored: StoredValue { rawValue.stored }
}

extension SettingConvertible where Self: RawRepresentable & CaseIterable, RawValue: SettingConvertible {
    /// A choice among the raw values of all cases.
    public static var settingType: SettingType { .choice(RawValue.settingType, allCases.map(\.stored)) }
}
