import StoredSettings

/// A model as users write it.
@ObservableSettings
final class ThermostatSettings {
    /// What the room is called.
    ///
    /// Not part of the schema's sentence.
    @Setting(constraints: SettingConstraints(length: 1...20)) var room = "hall"
    @Synced var target = 20.5
    @Setting(key: "check_interval", previousKeys: ["Thermostat.interval"], in: 15...86_400) var checkInterval = 120
    @Secret @Synced(onRemoteChange: .remoteValue, onInitialSync: .cachedValue, onAccountChange: .ignore)
    var accessCode = ""
    var tags: [String] = []
    var nickname: String?
    var label: String? = "none"
    @SettingsIgnored var lastError: String?
    @SettingsIgnored var retries = 0
}
