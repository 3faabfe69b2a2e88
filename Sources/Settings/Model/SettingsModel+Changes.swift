extension SettingsModel {
    /// The values of one setting: the current one first, then each newer one, only the newest for a slow reader.
    ///
    /// Never equal to the one before, never for the change of another setting; the last one always comes.
    public func changes<Value>(of path: SettingPath<Value>) -> SettingChanges<Value> {
        backing.changes(of: Self.keys[keyPath: path])
    }

    /// All values in force, by name: as they are now, then after each change, only the newest for a slow reader.
    public func changes() -> SettingChanges<[String: StoredValue]> { backing.changes() }

    /// The values of a property that is derived from settings, of this model and of others: the current one first, then
    /// whenever it differs.
    ///
    /// Ends with the model.
    @_disfavoredOverload
    public func changes<Value: Equatable>(of derived: KeyPath<Self, Value>) -> DerivedChanges<Self, Value> {
        DerivedChanges(self, derived)
    }
}
