import Synchronization

/// Stands behind a model class: holds the values of its settings in memory, stores what is assigned, and brings in what
/// others stored.
///
/// ```swift
/// public final class LampSettings: Observable, Sendable {
///     static let brightness = SettingsKey("brightness", default: 50, limits: .range(0...100))
///     static let schema = SettingsSchema(brightness)
///
///     let backing: SettingsBacking
///
///     public var brightness: Int {
///         get { backing[Self.brightness] }
///         set { backing[Self.brightness] = newValue }
///     }
/// }
/// ```
/// Reading is observed (`Observation`), decodes nothing and allocates nothing. An assignment is visible at once, observers
/// hear of it after it is in place, and it is stored in the order of assignments; ``commit()`` waits until it is durable.
/// Assigning an equal value does nothing.
///
/// Streams end when the backing is released; what was assigned is stored nevertheless.
public final class SettingsBacking: Sendable {
    private let core: SettingsCore

    /// Restores the values of a scope from a store that has no other models in this process.
    public convenience init(
        scope: String,
        schema: SettingsSchema,
        store: any SettingsStore,
        author: String = "local"
    ) {
        self.init(scope: scope, schema: schema, feed: SettingsFeed(store), author: author)
    }

    /// Restores the values of a scope; a failure is in ``loadError``.
    ///
    /// - Parameters:
    ///   - scope: Whose settings they are.
    ///   - schema: All settings of the model.
    ///   - feed: Brings the changes of others; one serves all models of a store.
    ///   - author: Who is said to have changed what is assigned.
    public init(scope: String, schema: SettingsSchema, feed: SettingsFeed, author: String = "local") {
        core = SettingsCore(scope: scope, schema: schema, feed: feed, author: author)
        // Listening comes before reading, so that no change falls between.
        feed.register(core)
        do {
            core.merge(try feed.store.record(scope))
        } catch {
            core.failLoad(error)
        }
    }

    /// Restores the values of a scope from a record that was read with others; what changed since is read soon.
    public init(
        scope: String,
        schema: SettingsSchema,
        feed: SettingsFeed,
        record: SettingsRecord?,
        author: String = "local"
    ) {
        core = SettingsCore(scope: scope, schema: schema, feed: feed, author: author)
        core.merge(record)
        feed.register(core)
        feed.check(scope)
    }

    deinit { core.finish() }

    /// Whose settings they are.
    public var scope: String { core.scope }

    /// The value of a setting in force: as assigned, as stored, or its default.
    public subscript<Value>(key: SettingsKey<Value>) -> Value {
        get { core.value(key) }
        set { core.assign(newValue, to: key) }
    }

    /// Takes a setting back to its default, and removes what is stored of it.
    public func reset<Value>(_ key: SettingsKey<Value>) {
        if SettingsStage.current(for: core)?.put(nil, key.name) == true { return }
        // Makes sure of the place of a key that the schema left out.
        _ = core.value(key)
        core.assign([key.name: nil])
    }

    /// Makes the assignments in `body` visible, observed and stored together when it returns, and not at all if it throws.
    ///
    /// Inside, reading gives what was assigned inside. Others see nothing before the end.
    public func withTransaction<Result>(_ body: () throws -> Result) rethrows -> Result {
        try SettingsStage.run(core, body)
    }

    /// Waits until all that was assigned before is durable.
    ///
    /// - Throws: What the store said, as in ``saveError``; `CancellationError`, without taking anything back.
    public func commit() async throws { try await core.commit() }

    /// Why the last attempt to store assignments failed; nil again after one that did not.
    ///
    /// What was assigned stays in memory and goes to the store with the next assignment or ``commit()``.
    public var saveError: (any Error)? {
        core.observe(SettingsCore.saveErrorKeyPath)
        return core.state.withLock(\.saveError)
    }

    /// Why values could not be restored and have their defaults; nil when all is well.
    public var loadError: (any Error)? {
        core.observe(SettingsCore.loadErrorKeyPath)
        return core.state.withLock(\.loadError)
    }

    /// The newest record seen in the store: what is durable, with its revision.
    public var record: SettingsRecord? { core.state.withLock(\.record) }

    /// All values in force, by name.
    public var values: [String: StoredValue] { core.state.withLock { $0.values } }

    /// The values of one setting: the current one first, then each newer one, only the newest for a slow reader.
    ///
    /// Never equal to the one before, never for the change of another setting; the last one always comes.
    public func changes<Value>(of key: SettingsKey<Value>) -> SettingChanges<Value> {
        SettingChanges(core: core) { state in
            let slot = state.slot(key)
            return (slot.value, slot.channel.version)
        } channel: { state, use in
            use(&state.slot(key).channel)
        }
    }

    /// All values in force, by name: as they are now, then after each change, only the newest for a slow reader.
    public func changes() -> SettingChanges<[String: StoredValue]> {
        SettingChanges(core: core) { state in
            (state.values, state.whole.version)
        } channel: { state, use in
            use(&state.whole)
        }
    }
}

extension SettingsCore.State {
    fileprivate var values: [String: StoredValue] { slots.mapValues(\.stored) }
}
