import StoredSettings

/// The states of a setting of one type, one after the other, and what is seen of each by a model that is made anew.
struct SettingCourse<Value: SettingRepresentable> {
    /// What a store gets wrong; empty when nothing.
    func faults(
        _ values: [Value],
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
}
