/// Gives bindings to the settings of a model: `$settings.brightness`.
///
/// ```swift
/// @SettingsBindings var settings: LampSettings
/// let brightness: SettingBinding<Int> = $settings.brightness
/// ```
@propertyWrapper
public struct SettingsBindings<Model: SettingsModel & Sendable>: Sendable {
    /// The model.
    public var wrappedValue: Model

    /// Wraps a model.
    public init(wrappedValue: Model) { self.wrappedValue = wrappedValue }

    /// The bindings to its settings.
    public var projectedValue: Projection { Projection(model: wrappedValue) }

    /// The settings of a model, each as a binding.
    @dynamicMemberLookup
    public struct Projection: Sendable {
        fileprivate let model: Model

        /// The binding to the setting of that name.
        public subscript<Value>(
            dynamicMember path: KeyPath<Model.SettingKeys, SettingsKey<Value>>
        ) -> SettingBinding<Value> {
            model.binding(path)
        }
    }
}
