/// A type that says itself how its values are stored.
///
/// A type with raw values, and any other `Codable` type, can be a setting without the conformance. With it, the values can
/// also be in sets and in nested collections, and have a range.
public protocol SettingRepresentable: Sendable, Hashable {
    /// What a schema says of the type.
    static var settingType: SettingType { get }

    /// The value that was stored, or nil when `stored` is of another kind.
    init?(stored: SettingValue)

    /// The value as it is stored.
    var stored: SettingValue { get }
}

extension SettingRepresentable where Self: RawRepresentable, RawValue: SettingRepresentable {
    /// The type of the raw values.
    public static var settingType: SettingType { RawValue.settingType }

    /// The case with the stored raw value.
    public init?(stored: SettingValue) {
        guard let raw = RawValue(stored: stored) else { return nil }
        self.init(rawValue: raw)
    }

    /// The raw value as it is stored.
    public var stored: SettingValue { rawValue.stored }
}

extension SettingRepresentable where Self: RawRepresentable & CaseIterable, RawValue: SettingRepresentable {
    /// A choice among the raw values of all cases.
    public static var settingType: SettingType { .choice(RawValue.settingType, allCases.map(\.stored)) }
}
