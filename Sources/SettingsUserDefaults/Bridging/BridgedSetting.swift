public import Settings

/// A class of Foundation whose Swift twin is a setting: a property of the class is a view of a setting of the twin.
///
/// ```swift
/// @ObservableSettings
/// final class PageSettings {
///     var title: NSString = ""
///     var visited: [String: NSDate?] = [:]
/// }
/// ```
/// The model holds and stores the twin, so that the stored form is the same, a mutable object that is assigned is copied, and
/// nothing is shared between threads. Each read makes an object. Key paths, streams and bindings have the type of the twin:
/// `changes(of: \.title)` is a stream of `String`.
public protocol BridgedSetting {
    /// What is stored.
    associatedtype Twin: SettingRepresentable
    /// The type of the property; a subclass is no setting, because it would have to come back as what it was.
    associatedtype Object = Self

    /// The value of the twin.
    var settingTwin: Twin { get }

    /// The object with a value of the twin.
    static func object(of twin: Twin) -> Object
}

extension SettingsSchema {
    /// Declares a setting of the twin; what `@ObservableSettings` writes for a property.
    public static func key<Value: BridgedSetting>(
        _ name: String,
        default: Value,
        _ metadata: SettingMetadata
    ) -> SettingsKey<Value.Twin> where Value.Object == Value {
        key(name, default: `default`.settingTwin, metadata)
    }
}

extension SettingsStorage {
    /// The value of a setting as an object of the class that the property has.
    @_disfavoredOverload
    public subscript<Value: BridgedSetting>(key: SettingsKey<Value.Twin>) -> Value where Value.Object == Value {
        get { Value.object(of: self[key]) }
        set { self[key] = newValue.settingTwin }
    }
}
