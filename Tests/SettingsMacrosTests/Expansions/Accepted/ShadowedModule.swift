import Settings

enum Shop {
    @ObservableSettings(store: InMemorySettingsStore.shared) final class Settings {
        @Secret @Synced var code = ""
        @SettingsIgnored var count = 3
    }
}

@ObservableSettings final class Settings {
    var size = 1
    @Secret var code = ""
    @Synced var hue = 2
    @SettingsIgnored var count = 3
}

func use(_ settings: Settings, _ shop: Shop.Settings) {
    settings.reset(\.size)
    _ = shop.binding(\.code)
}
