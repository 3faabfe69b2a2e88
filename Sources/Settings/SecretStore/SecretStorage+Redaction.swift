extension SecretStorage: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable, Encodable {
    /// The mask.
    public var description: String { Secret<String>.mask }

    /// The mask.
    public var debugDescription: String { Secret<String>.mask }

    /// A mirror without children.
    public var customMirror: Mirror { Mirror(self, children: [], displayStyle: .struct) }

    /// Encodes the mask.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(Secret<String>.mask)
    }
}

extension SecretStorage.Projection: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The mask.
    public var description: String { Secret<String>.mask }

    /// The mask.
    public var debugDescription: String { Secret<String>.mask }

    /// A mirror without children.
    public var customMirror: Mirror { Mirror(self, children: [], displayStyle: .struct) }
}
