extension SettingsModel where Self: Sendable {
    /// One setting as a value that can be handed on; keeps the model alive.
    public func binding<Value>(_ path: SettingPath<Value>) -> SettingBinding<Value> {
        let key = Self.keys[keyPath: path]
        return SettingBinding {
            self.backing[key]
        } change: { body in
            self.backing.update(key, body)
        }
    }
}
