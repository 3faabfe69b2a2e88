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

    /// Puts bytes that do not open in the place of a stored secret, as damage to the disk does.
    package func damage(_ scope: String, _ key: String) async throws {
        try await transact { transaction in
            guard var record = try transaction.record(scope) else { return }
            record.values[key] = nil
            record.damaged[key] = [1, 2, 3]
            record.revision += 1
            try transaction.remove(scope)
            try transaction.copy(record, to: scope)
        }
    }
}
