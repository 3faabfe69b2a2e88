import Synchronization

/// Holds the values of a model in memory, stores what is assigned, and brings in what others stored.
///
/// ``ObservableSettings(scope:prefix:naming:store:remote:)`` makes one for a class. ``SettingsModel`` has the functions
/// for its use.
///
/// Reading is observed (`Observation`), decodes nothing and allocates nothing. An assignment is in force at once, then calls
/// observers if the value differs, and is stored in the order of assignments. A value outside the constraints of its setting is
/// refused: the one before stays, and ``SettingsModel/error(of:)`` has the reason.
///
/// All storages of one store, scope and schema in a process are one: each reads at once what is assigned to another,
/// they are observed, stored and committed together, and have the same errors. Streams end with the last of them; what was
/// assigned is stored nevertheless.
public final class SettingsStorage: Sendable {
    @usableFromInline let core: SettingsCore

    /// Keeps values in memory only.
    public convenience init(schema: SettingsSchema) {
        self.init(SettingsCore(scope: "", schema: schema, follower: nil))
    }

    /// Restores the values of a scope from a store; a failure is in ``SettingsModel/error``.
    ///
    /// Settings with a ``SyncPolicy`` are synchronised with the remote store from the first moment.
    public convenience init(
        scope: String,
        schema: SettingsSchema,
        store: any SettingsStore,
        remote: (any RemoteStore)? = nil
    ) {
        self.init(StoreFollower.shared(by: store).core(scope: scope, schema: schema))
        if let remote { synchronize(with: remote) }
    }

    private init(_ core: SettingsCore) {
        self.core = core
        core.state.withLock { $0.users += 1 }
    }

    deinit { core.detach() }

    /// Whose settings they are.
    public var scope: String { core.scope }

    /// The value of a setting in force: as assigned, as stored, or its default.
    public subscript<Value>(key: SettingsKey<Value>) -> Value {
        @inlinable get { core.value(key) }
        @inlinable set { core.assign(newValue, to: key) }
    }

    /// As ``SettingsModel/set(_:to:)``, also for a private setting.
    public func set<Value>(_ key: SettingsKey<Value>, to value: Value) throws(SettingsError) {
        if let refusal = key.refusal(of: value) { throw refusal }
        core.assign(value, to: key)
    }

    /// As ``SettingsModel/update(_:_:)``, also for a private setting.
    public func update<Value>(_ key: SettingsKey<Value>, _ change: (inout Value) -> Void) { core.update(key, change) }

    /// Stores values by the names of their settings, all together, and assigns them once they are durable; nil resets a
    /// setting.
    ///
    /// - Throws: ``ValidationErrors`` with all that is wrong; ``SettingsError`` with the code
    ///   ``SettingsError/Code/unsupportedValue`` for a value that no store holds, or what the store throws. Nothing is stored
    ///   or assigned then.
    public func apply(_ changes: [String: JSONValue?]) async throws {
        for (name, value) in changes.sorted(by: { $0.key < $1.key }) {
            guard let fault = value?.storageFault else { continue }
            throw SettingsError(.unsupportedValue, "\(name) cannot be stored: it has \(fault)")
        }
        try await core.apply(core.schema.validate(changes: changes).get())
    }

    /// As ``SettingsModel/reset(_:)``, also for a private setting.
    public func reset<Value>(_ key: SettingsKey<Value>) { core.reset([core.cell(key)]) }

    package func resetAll() {
        core.makeCells()
        core.reset(core.state.withLock { $0.settings.map(\.cell) })
    }

    package func isDefault<Value>(_ key: SettingsKey<Value>) -> Bool { key.areEqual(core.value(key), key.default) }

    package func isSet<Value>(_ key: SettingsKey<Value>) -> Bool {
        let place = core.cell(key).place
        core.observe(Observed.setMarks)
        return core.state.withLock { $0.settings[place].isSet }
    }

    /// Waits until all that was assigned before is durable; see ``SettingsModel/commit()`` for what it throws.
    public func commit() async throws { try await core.commit() }

    package var error: SettingsError? {
        observeErrors()
        core.makeCells()
        return core.state.withLock(\.error)
    }

    package func error<Value>(of key: SettingsKey<Value>) -> SettingsError? {
        observeErrors()
        let place = core.cell(key).place
        return core.state.withLock { $0.error(at: place) }
    }

    private func observeErrors() {
        core.observe(Observed.errors)
        core.checkAssigned()
    }

    /// The store that keeps the settings; nil for values in memory only.
    public var store: (any SettingsStore)? { core.follower?.store }

    /// The newest record seen in the store: what is durable, with its revision.
    public var record: SettingsRecord? { core.state.withLock(\.record) }

    /// The newest record seen in the store; reading it is observed.
    var committedRecord: SettingsRecord? {
        core.observe(Observed.commits)
        return record
    }

    /// All values in force, by name.
    public var values: [String: JSONValue] {
        core.makeCells()
        let snapshots = core.state.withLock { $0.settings.map { ($0.cell.name, $0.cell.snapshot()) } }
        // Declarations may share a name; the first one is that of the schema.
        return Dictionary(snapshots.map { ($0, $1()) }) { first, _ in first }
    }

    /// As ``SettingsModel/changes(of:)``, also for private settings.
    public func changes<each Value: Sendable>(
        of keys: repeat SettingsKey<each Value>
    ) -> SettingChanges<(repeat each Value)> {
        let keys = (repeat each keys)
        let cells = (repeat core.cell(each keys))
        return SettingChanges(core: core) { state in
            // Each number only grows, and so does the sum.
            var version = 0
            for cell in repeat each cells { version += state.settings[cell.place].revision.number }
            let values = (repeat (each cells).value)
            return (version, { .value(values) })
        } deliver: { values, last in
            guard let last else { return values }
            for (key, value, other) in repeat (each keys, each values, each last) {
                if !key.areEqual(value, other) { return values }
            }
            return nil
        }
    }
}

extension SettingsStorage: CustomReflectable {
    /// The values in force, by name and with the secrets masked; nothing of what stands behind them.
    public var customMirror: Mirror {
        let children = values.sorted { $0.key < $1.key }.map {
            (label: Optional($0.key), value: $0.value.json() as Any)
        }
        return Mirror(self, children: children, displayStyle: .class)
    }
}
