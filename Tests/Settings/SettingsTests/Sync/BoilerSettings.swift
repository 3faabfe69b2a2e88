import SettingsTesting
import StoredSettings

/// A model with settings that are kept the same on several machines.
@ObservableSettings(prefix: "")
final class BoilerSettings {
    @Synced var target = 20
    @Synced var name: String? = "boiler"
    @Secret @Synced var pin = ""
    @Synced(onRemoteChange: .cachedValue, onInitialSync: .cachedValue, onAccountChange: .cachedValue) var mine = 0
    @Synced(onRemoteChange: .ignore, onInitialSync: .ignore, onAccountChange: .ignore) var own = 0
    @Synced(onRemoteChange: .defaultValue, onInitialSync: .defaultValue, onAccountChange: .defaultValue) var fuse = 0
    @Synced(onAccountChange: .defaultValue) var personal = ""
    @Synced @Setting(in: 1...5) var stage = 1
    @Secret var key = ""
    var local = 0
}

extension SyncOptions {
    /// Tries again at once, so that tests need not wait.
    static let eager = SyncOptions(retryingAfter: .milliseconds(5), atMost: .milliseconds(20))
    /// Never tries again by itself, so that tests see what else makes it try.
    static let lazy = SyncOptions(retryingAfter: .seconds(3600), atMost: .seconds(3600))

    init(retryingAfter firstRetry: Duration, atMost longestRetry: Duration) {
        self.init()
        (self.firstRetry, self.longestRetry) = (firstRetry, longestRetry)
    }
}

extension BoilerSettings {
    /// A model over a store, synchronised with a remote one.
    convenience init(
        _ remote: any RemoteStore,
        over store: any SettingsStore = InMemorySettingsStore(),
        options: SyncOptions = .eager
    ) {
        self.init(store: store, scope: "boiler")
        storage.synchronize(with: remote, options: options)
    }
}

extension FakeCloud {
    /// A client, and a model that agrees with the cloud.
    func synced(
        over store: any SettingsStore = InMemorySettingsStore(),
        options: SyncOptions = .eager
    ) async throws -> (FakeRemoteStore, BoilerSettings) {
        let remote = client()
        let model = BoilerSettings(remote, over: store, options: options)
        try await model.waitUntilSynced()
        return (remote, model)
    }
}
