import StoredSettings

struct SettingsStore {}
struct SettingsStorage {}
struct SettingsSchema {}
struct SettingDescriptor {}
struct SettingsKey {}
struct SettingsModel {}
struct SharedSettings {}
struct SyncPolicy {}
struct RemoteStore {}
struct LockedValue {}
struct InMemorySettingsStore {}
struct Secret {}
struct Setting {}

@ObservableSettings(store: StoredSettings.InMemorySettingsStore()) final class Lamp {
    struct String {}
    struct Sendable {}
    var brightness = 1
    @Synced(onRemoteChange: .cachedValue) var hue = 2
    @StoredSettings.Secret var code = ""
    @SettingsIgnored var count: Int?
}
