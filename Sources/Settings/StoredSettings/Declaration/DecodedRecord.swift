/// The values of a record, decoded by the settings of a schema.
///
/// It knows no model: code that is generic over one looks types up at each use, which takes longer than to decode.
struct DecodedRecord: Sendable {
    /// Nil for an empty scope.
    let record: SettingsRecord?
    private let schema: SettingsSchema
    /// A ``Decoded`` value for each setting, in the order of the schema.
    private let values: [any AnyObject & Sendable]

    /// Decodes a record; takes what did not change from an earlier one of the same schema.
    init(_ record: SettingsRecord?, by schema: SettingsSchema, after earlier: DecodedRecord? = nil) {
        (self.record, self.schema) = (record, schema)
        values = schema.descriptors.enumerated().map { place, descriptor in
            if let earlier, !descriptor.differs(in: record, earlier.record) { return earlier.values[place] }
            return descriptor.read(descriptor.found(in: record))
        }
    }

    /// The value of a setting: as stored where that fits, else its default.
    subscript<Value>(key: SettingsKey<Value>) -> Value {
        guard let place = schema.place(of: key) else {
            return key.read(FoundValue(key.name, key.metadata.previousKeys, in: record)).value
        }
        // The key stands at this place of the schema, so the value was decoded by it.
        return unsafeDowncast(values[place], to: Decoded<Value>.self).value
    }

    /// The values as they are stored, by the names of their settings.
    var encoded: [String: JSONValue] {
        Dictionary(uniqueKeysWithValues: zip(schema.descriptors, values).map { ($0.name, $0.encode($1)) })
    }

    /// The settings that are stored.
    var storedNames: Set<String> {
        let stored = schema.descriptors.map { ($0.name, $0.found(in: record)) }
        return Set(stored.filter { $1.stored != nil || $1.damage != nil }.map(\.0))
    }

    /// The settings that have another stored value than in another record.
    func names(differingFrom other: DecodedRecord) -> Set<String> {
        Set(schema.descriptors.filter { $0.differs(in: record, other.record) }.map(\.name))
    }
}

final class Decoded<Value: Sendable>: Sendable {
    let value: Value

    init(_ value: Value) { self.value = value }
}
