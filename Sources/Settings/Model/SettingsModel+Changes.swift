extension SettingsModel {
    /// The values of one setting: the current one first, then each newer one, only the newest for a slow reader.
    ///
    /// Never equal to the one before, never for the change of another setting; the last one always comes.
    public func changes<Value>(of path: SettingPath<Value>) -> SettingChanges<Value> {
        backing.changes(of: Self.keys[keyPath: path])
    }

    /// All values in force, by name: as they are now, then after each change, only the newest for a slow reader.
    public func changes() -> SettingChanges<[String: StoredValue]> { backing.changes() }
}

extension SettingsModel where Self: Sendable {
    /// The values of a property that is derived from settings: the current one first, then whenever it differs.
    ///
    /// Ends with the model.
    @_disfavoredOverload
    public func changes<Value: Sendable & Equatable>(
        of derived: any KeyPath<Self, Value> & Sendable
    ) -> SettingChanges<Value> {
        backing.changes { [weak self] in self?[keyPath: derived] }
    }
}
