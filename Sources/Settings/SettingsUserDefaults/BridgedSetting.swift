public import Foundation
public import StoredSettings

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

extension NSString: BridgedSetting {
    /// The text.
    public var settingTwin: String { String(self) }
    /// The text as an object.
    public static func object(of twin: String) -> NSString { NSString(string: twin) }
}

extension NSData: BridgedSetting {
    /// The bytes.
    public var settingTwin: Data { Data(bytes: bytes, count: length) }
    /// The bytes as an object.
    public static func object(of twin: Data) -> NSData { NSData(data: twin) }
}

extension NSDate: BridgedSetting {
    /// The moment.
    public var settingTwin: Date { Date(timeIntervalSinceReferenceDate: timeIntervalSinceReferenceDate) }
    /// The moment as an object.
    public static func object(of twin: Date) -> NSDate {
        NSDate(timeIntervalSinceReferenceDate: twin.timeIntervalSinceReferenceDate)
    }
}

extension NSURL: BridgedSetting {
    /// The address.
    public var settingTwin: URL { self as URL }
    /// The address as an object.
    public static func object(of twin: URL) -> NSURL { twin as NSURL }
}

extension Optional: BridgedSetting where Wrapped: BridgedSetting, Wrapped.Object == Wrapped {
    /// The twin, or none.
    public var settingTwin: Wrapped.Twin? { self?.settingTwin }
    /// An object, or none.
    public static func object(of twin: Wrapped.Twin?) -> Wrapped? { twin.map(Wrapped.object) }
}

extension Array: BridgedSetting where Element: BridgedSetting, Element.Object == Element {
    /// The twins.
    public var settingTwin: [Element.Twin] { map(\.settingTwin) }
    /// Objects.
    public static func object(of twin: [Element.Twin]) -> [Element] { twin.map(Element.object) }
}

extension Set: BridgedSetting where Element: BridgedSetting, Element.Object == Element {
    /// The twins.
    public var settingTwin: Set<Element.Twin> { Set<Element.Twin>(map(\.settingTwin)) }
    /// Objects.
    public static func object(of twin: Set<Element.Twin>) -> Set<Element> { Set(twin.map(Element.object)) }
}

extension Dictionary: BridgedSetting where Key == String, Value: BridgedSetting, Value.Object == Value {
    /// The twins.
    public var settingTwin: [String: Value.Twin] { mapValues(\.settingTwin) }
    /// Objects.
    public static func object(of twin: [String: Value.Twin]) -> [String: Value] { twin.mapValues(Value.object) }
}
