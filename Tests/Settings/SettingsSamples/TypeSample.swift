package import StoredSettings
import Testing

/// Values of one type, each with what is stored of it, and what is refused.
package struct TypeSample: Sendable, CustomTestStringConvertible {
    package let testDescription: String
    package let type: SettingType
    package let descriptor: SettingDescriptor
    package let stored: [JSONValue]
    package let refused: [JSONValue]
    /// What comes back from what a value was stored as, through the text that a store keeps, equals the value.
    package let comesBack: @Sendable () -> [Bool]
    /// What is stored of the value that is read from something.
    package let reads: @Sendable (JSONValue) -> JSONValue?
    /// What the values say is stored of them.
    package let kept: [JSONValue]
    /// What a store gets wrong about settings of the type, and of optionals of it; empty when nothing.
    package let faults:
        @Sendable (any SettingsStore, _ reopened: () throws -> any SettingsStore) async throws -> [String]

    package init<Value: SettingRepresentable>(
        _ type: SettingType,
        _ samples: KeyValuePairs<Value, JSONValue>,
        refuses refused: [JSONValue]
    ) {
        testDescription = "\(Value.self)"
        self.type = type
        descriptor = SettingDescriptor(SettingsKey("x", default: samples[0].key))
        self.refused = refused
        let values = samples.map(\.key)
        stored = samples.map(\.value)
        comesBack = {
            values.map { value in
                guard let text = try? JSONValue(json: value.stored.json()) else { return false }
                return Value.settingCodec.type == type && Value(stored: text) == value
            }
        }
        reads = { Value(stored: $0)?.stored }
        kept = values.map(\.stored)
        faults = { store, reopened in
            try await SettingCourse<Value>().faults(values, over: store, reopened)
        }
    }
}
