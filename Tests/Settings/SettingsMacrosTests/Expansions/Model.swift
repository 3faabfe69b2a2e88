import StoredSettings

@ObservableSettings
final class PrinterSettings {
    /// The address of the printer.
    ///
    /// Shown on its screen.
    @Synced(onRemoteChange: .remoteValue, onInitialSync: .remoteValue, onAccountChange: .cachedValue)
    var printerIP = ""
    @Secret @Synced var accessCode = ""
    @Setting(key: "probe_interval", previousKeys: ["interval"], in: 15...86_400) var probeInterval = 120
    @SettingsIgnored var lastError: String?
    var isConfigured: Bool { !printerIP.isEmpty && !accessCode.isEmpty }
}
