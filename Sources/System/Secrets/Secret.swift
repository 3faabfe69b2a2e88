/// A value that cannot be printed, dumped or encoded by accident.
///
/// Descriptions, mirrors, dumps and encoders get ``mask``. Only ``reveal()`` gives the value, so that every use can be found by
/// that name. Texts and bytes are compared in a time that depends on their lengths alone, other values by their own `==`.
public struct Secret<Value: Sendable & Hashable>: Sendable, Hashable {
    private let value: Value

    /// Hides `value`.
    public init(_ value: Value) { self.value = value }

    /// The hidden value.
    public func reveal() -> Value { value }

    /// Whether two secrets are the same, byte by byte.
    public static func == (one: Secret, other: Secret) -> Bool {
        guard let these = one.bytes, let those = other.bytes else { return one.value == other.value }
        var difference = UInt(bitPattern: these.count ^ those.count)
        for index in 0..<max(these.count, those.count) {
            difference |= UInt((index < these.count ? these[index] : 0) ^ (index < those.count ? those[index] : 0))
        }
        return difference == 0
    }

    private var bytes: [UInt8]? {
        switch value {
        case let text as String: Array(text.utf8)
        case let bytes as [UInt8]: bytes
        default: nil
        }
    }
}

extension Secret: Encodable {
    /// Writes the mask; reveal a secret to encode it.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(Self.mask)
    }
}

extension Secret: CustomStringConvertible, CustomReflectable {
    /// What stands for a secret wherever one is shown.
    public static var mask: String { "********" }

    /// The mask.
    public var description: String { Self.mask }

    /// A mirror without children.
    public var customMirror: Mirror { Mirror(self, children: [], displayStyle: .struct) }
}

extension Secret<String> {
    /// Whether the text is empty, which stands for 'not set' and is no secret.
    public var isEmpty: Bool { value.isEmpty }

    /// The mask, or nothing when the text is empty.
    package var masked: String { value.isEmpty ? "" : Self.mask }
}

extension Secret: ExpressibleByUnicodeScalarLiteral, ExpressibleByExtendedGraphemeClusterLiteral,
    ExpressibleByStringLiteral
where Value == String {
    /// Hides a literal; meant for the empty default.
    public init(stringLiteral value: String) { self.init(value) }
}
