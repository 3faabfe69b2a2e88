extension SettingsModel {
    /// Keeps those settings that are marked `@Synced` the same here and in a remote store, from now on and as long as the
    /// model lives; see ``SettingsBacking/synchronize(with:keyPrefix:options:)``.
    public func synchronize(
        with remote: any RemoteStore,
        keyPrefix: String? = nil,
        options: SyncOptions = SyncOptions()
    ) {
        backing.synchronize(with: remote, keyPrefix: keyPrefix, options: options)
    }

    /// Why a setting and its remote store are not in agreement; nil again after the next success.
    public func syncError<Value>(of path: SettingPath<Value>) -> SyncError? {
        backing.syncError(of: Self.keys[keyPath: path])
    }

    /// What stands in the way of synchronisation, be it the way to the remote store or one setting; nil when all is well.
    public var syncError: (any Error)? { backing.syncError }

    /// Waits until all that was assigned before is stored and sent, and all that the remote store had is here; throws what
    /// stands in the way.
    public func waitUntilSynced() async throws { try await backing.waitUntilSynced() }
}
