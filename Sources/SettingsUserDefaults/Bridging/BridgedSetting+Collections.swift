public import Settings

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
