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
            try await SettingsSamples.faults(of: values, over: store, reopened)
        }
    }
}

/// What a store gets wrong about the states of a setting, one after the other, seen by a model that is made anew.
private func faults<Value: SettingRepresentable>(
    of values: [Value],
    over store: any SettingsStore,
    _ reopened: () throws -> any SettingsStore
) async throws -> [String] {
    let key = SettingsKey("x", default: values[0])
    // Its default is no nil, so that nil, absent and default are three.
    let optional = SettingsKey<Value?>("o", default: values[0])
    let schema = SettingsSchema(key, optional)
    var faults: [String] = []

    func storage(_ store: any SettingsStore) -> SettingsStorage {
        SettingsStorage(scope: "course", schema: schema, store: store)
    }
    func check(_ state: String, _ value: Value, _ isSet: Bool, _ other: Value?, _ isOtherSet: Bool) throws {
        let seen = storage(try reopened())
        if seen[key] != value { faults.append("\(state): the value is another") }
        if seen.isSet(key) != isSet { faults.append("\(state): the value is \(isSet ? "absent" : "present")") }
        if seen[optional] != other { faults.append("\(state): the optional value is another") }
        if seen.isSet(optional) != isOtherSet {
            faults.append("\(state): the optional value is \(isOtherSet ? "absent" : "present")")
        }
        if let error = seen.error { faults.append("\(state): \(error)") }
    }

    let model = storage(store)
    try check("absent", values[0], false, values[0], false)
    for value in values.reversed() {
        model[key] = value
        model[optional] = value
        try await model.commit()
        try check("value", value, true, value, true)
    }
    // The last one was the default: stored, it is not absent.
    if !model.isDefault(key) { faults.append("default: it is not told") }
    model[optional] = nil
    try await model.commit()
    try check("nil", values[0], true, nil, true)
    model.reset(optional)
    try await model.commit()
    try check("reset", values[0], true, values[0], false)
    model.resetAll()
    try await model.commit()
    try check("all reset", values[0], false, values[0], false)
    return faults
}
