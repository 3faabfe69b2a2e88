/// An optional, a list, or values by name: stored as its elements are.
public protocol SettingContainer {
    /// The type of the elements.
    associatedtype SettingElement

    /// How such a value is stored, if its elements are stored by a codec.
    static func settingCodec(of element: SettingCodec<SettingElement>) -> SettingCodec<Self>
}

extension SettingRepresentable where Self: SettingContainer, SettingElement: SettingRepresentable {
    /// Stores each element as its type says.
    public static var settingCodec: SettingCodec<Self> { settingCodec(of: SettingElement.settingCodec) }
}

extension Optional: SettingRepresentable where Wrapped: SettingRepresentable {}

extension Optional: SettingContainer {
    /// A value or null; a value that may be null itself is in a list of one.
    public static func settingCodec(of element: SettingCodec<Wrapped>) -> SettingCodec<Wrapped?> {
        let isNested = if case .optional = element.type { true } else { false }
        return SettingCodec(type: .optional(isNested ? .array(element.type) : element.type)) { value in
            guard let value else { return .null }
            let stored = element.encode(value)
            return isNested ? [stored] : stored == .null ? .readAsNil : stored
        } decode: { stored in
            if stored == .null { return .some(nil) }
            guard isNested else { return element.decode(stored).map(Optional.some) }
            guard let values = stored.arrayValue, values.count == 1 else { return nil }
            return element.decode(values[0]).map(Optional.some)
        } areEqual: { one, other in
            guard let one, let other else { return (one == nil) == (other == nil) }
            return element.areEqual(one, other)
        }
    }
}

extension Array: SettingRepresentable where Element: SettingRepresentable {}

extension Array: SettingContainer {
    /// A list, of which every element has to fit.
    public static func settingCodec(of element: SettingCodec<Element>) -> SettingCodec<[Element]> {
        SettingCodec(type: .array(element.type)) {
            .array($0.map(element.encode))
        } decode: { stored in
            guard let values = stored.arrayValue else { return nil }
            let elements = values.compactMap(element.decode)
            return elements.count == values.count ? elements : nil
        } areEqual: {
            $0.count == $1.count && zip($0, $1).allSatisfy(element.areEqual)
        }
    }
}

extension Dictionary: SettingRepresentable where Key == String, Value: SettingRepresentable {}

extension Dictionary: SettingContainer where Key == String {
    /// Values by name, each of which has to fit.
    public static func settingCodec(of element: SettingCodec<Value>) -> SettingCodec<[String: Value]> {
        SettingCodec(type: .dictionary(element.type)) {
            .object($0.mapValues(element.encode))
        } decode: { stored in
            guard let members = stored.objectValue else { return nil }
            let values = members.compactMapValues(element.decode)
            return values.count == members.count ? values : nil
        } areEqual: { one, other in
            one.count == other.count
                && one.allSatisfy { key, value in other[key].map { element.areEqual(value, $0) } ?? false }
        }
    }
}
