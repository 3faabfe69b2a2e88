import StoredSettings

enum Shop {
    @ObservableSettings(store: InMemorySettingsStore()) final class StoredSettings {
        @Secret @Synced var code = ""
        @SettingsIgnored var count = 3
    }
}

@ObservableSettings final class StoredSettings {
    var size = 1
    @Secret var code = ""
    @Synced var hue = 2
    @SettingsIgnored var count = 3
}

func use(_ settings: StoredSettings, _ shop: Shop.StoredSettings) {
    settings.reset(\.size)
    _ = shop.binding(\.code)
}
