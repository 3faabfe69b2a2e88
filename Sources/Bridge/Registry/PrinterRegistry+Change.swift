public import StoredSettings

extension PrinterRegistry {
    /// Changes settings of one printer by the same decision as a message from the broker, or creates it.
    ///
    /// - Parameters:
    ///   - id: The printer.
    ///   - patch: New values by key, as a message would give them; null is 'back to the default'.
    ///   - source: The source of the change.
    /// - Returns: What a message would be answered.
    public func change(_ id: PrinterID, _ patch: [String: SettingValue], source: ConfigSource) async -> ConfigResult? {
        await apply([ConfigMessage(printer: id, patch: patch, source: source)]).first?.result
    }
}
