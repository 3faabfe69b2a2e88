package import StoredSettings

extension SettingsStore {
    /// Each notice of changes, of this process and of others, from now on.
    package func changes() -> AsyncStream<StoreChanges> {
        let (stream, continuation) = AsyncStream.makeStream(of: StoreChanges.self)
        let observer = StoreObserver { continuation.yield($0) }
        continuation.onTermination = { _ in withExtendedLifetime(observer) {} }
        add(observer)
        return stream
    }
}
