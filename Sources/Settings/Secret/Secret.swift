/// A value that cannot be printed, dumped or encoded by accident.
///
/// Descriptions, mirrors and dumps show ``mask``. Only ``reveal()`` gives the value away, so that every place that
/// does can be found by that name.
public struct Secret<Value: Sendable & Hashable>: Sendable, Hashable {
    private let value: Value

    /// Hides `value`.
    public init(_ value: Value) { self.value = value }

    /// The hidden value.
    public func reveal() -> Value { value }
}

extension Secret: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// What stands for a secret wherever one is shown.
    public static var mask: String { "********" }

    /// The mask.
    public var description: String { Self.mask }

    /// The mask.
    public var debugDescription: String { Self.mask }

    /// A mirror without children.
    public var customMirror: Mirror { Mirror(self, children: [], displayStyle: .struct) }
}

extension Secret<String> {
    /// Whether the text is empty, which stands for 'not set' and is no secret.
    public var isEmpty: Bool { value.isEmpty }

    /// What a report shows: the mask, or nothing when the text is empty.
    public var masked: String { value.isEmpty ? "" : Self.mask }
}

extension Secret: ExpressibleByUnicodeScalarLiteral where Value == String {
    /// Hides a literal of one scalar.
    public init(unicodeScalarLiteral value: String) { self.init(value) }
}

extension Secret: ExpressibleByExtendedGraphemeClusterLiteral where Value == String {
    /// Hides a literal of one character.
    public init(extendedGraphemeClusterLiteral value: String) { self.init(value) }
}

extension Secret: ExpressibleByStringLiteral where Value == String {
    /// Hides a literal; meant for the empty default.
    public init(stringLiteral value: String) { self.init(value) }
}
