import StoredSettings

@MainActor @ObservableSettings
class Document {
    let id: Int
    private(set) var `default` = true
    @SettingsIgnored var owner: Int

    init(id: Int, store: any SettingsStore) {
        self.id = id
        storage = SettingsStorage(scope: "document/\(id)", schema: Self.schema, store: store)
        owner = 1
    }
}
