import StoredSettings

@ObservableSettings final class Cache {
    @SettingsIgnored var implicit: Int! = 3
    @SettingsIgnored var implicitNone: Int!
    @SettingsIgnored var pair = (1, 2)
    @SettingsIgnored var action: @Sendable () -> Void = {}
    @SettingsIgnored var failure: any Error = CancellationError()
    @SettingsIgnored var task: Task<Void, Never>?
    @SettingsIgnored var later: Int
    let constant = 1
    static let shared = 2
    init() {
        storage = SettingsStorage(schema: Self.schema)
        later = 3
    }
    deinit { print(constant) }
    subscript(index: Int) -> Int { index }
    class var kind: String { "" }
}
func use(_ cache: Cache) {
    let number: Int = cache.implicit
    cache.implicitNone = number
}
