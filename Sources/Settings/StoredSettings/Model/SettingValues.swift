/// A value for each setting of a class: those in force in a ``SettingsModel``, or those of a ``SettingsSnapshot``.
///
/// Write a value that is derived from settings once, and read it from either:
/// ```swift
/// extension SettingValues<LampSettings.SettingKeys> {
///     var isBright: Bool { self[\.brightness] > 80 }
/// }
///
/// print(lamp.isBright, lamp.committed.isBright)
/// for await isBright in lamp.changes(of: \.isBright) { … }
/// ```
public protocol SettingValues<SettingKeys>: SendableMetatype {
    /// The declaration of each setting, under the name of its property.
    associatedtype SettingKeys: Sendable

    /// The declarations of the settings.
    static var keys: SettingKeys { get }

    /// The value of a setting.
    subscript<Value: Sendable>(key: SettingsKey<Value>) -> Value { get }
}

extension SettingValues {
    /// Names one setting.
    public typealias SettingPath<Value: Sendable> = KeyPath<SettingKeys, SettingsKey<Value>>

    /// The value of a setting, by the name of its property.
    public subscript<Value>(path: SettingPath<Value>) -> Value { self[Self.keys[keyPath: path]] }
}
