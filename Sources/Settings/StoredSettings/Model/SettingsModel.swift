public import Observation

/// A class whose properties are settings; `@ObservableSettings` writes the conformance.
///
/// A setting is named by a key path into ``SettingKeys``, so that only settings can be named:
/// ```swift
/// lamp.reset(\.brightness)
/// for await brightness in lamp.changes(of: \.brightness) { … }
/// ```
public protocol SettingsModel: AnyObject, Observable, SettingValues {
    /// All settings, in the order in which they are declared.
    static var schema: SettingsSchema { get }

    /// Holds the values, stores them, and tells of their changes.
    var storage: SettingsStorage { get }
}

extension SettingsModel {
    /// The values of a class as a commit left them.
    public typealias Snapshot = SettingsSnapshot<Self>

    /// Any setting, by its key.
    @inlinable
    public subscript<Value>(key: SettingsKey<Value>) -> Value {
        get { storage[key] }
        set { storage[key] = newValue }
    }

    /// The settings after the last commit.
    ///
    /// Reading this property is observed, and decodes all settings: keep the snapshot to read several.
    public var committed: Snapshot { SettingsSnapshot(storage.committedRecord) }

    /// Assigns a value; throws if the value is outside the constraints of its setting.
    public func set<Value>(_ path: SettingPath<Value>, to value: Value) throws(SettingsError) {
        try storage.set(Self.keys[keyPath: path], to: value)
    }

    /// Changes a value in one step: if another thread assigns meanwhile, `change` is called again with the newer value.
    ///
    /// Another process may change the value between this step and the next commit; ``SettingsStore/transact(_:)``
    /// prevents that.
    public func update<Value>(_ path: SettingPath<Value>, _ change: (inout Value) -> Void) {
        storage.update(Self.keys[keyPath: path], change)
    }

    /// Takes a setting back to its default, and removes what is stored of it.
    public func reset<Value>(_ path: SettingPath<Value>) { storage.reset(Self.keys[keyPath: path]) }

    /// Takes all settings back to their defaults together, and removes what is stored of them.
    public func resetAll() { storage.resetAll() }

    /// Whether a setting has the value of its default, set or not.
    public func isDefault<Value>(_ path: SettingPath<Value>) -> Bool { storage.isDefault(Self.keys[keyPath: path]) }

    /// Whether a value was set and not reset, also if it is null or equals the default.
    public func isSet<Value>(_ path: SettingPath<Value>) -> Bool { storage.isSet(Self.keys[keyPath: path]) }

    /// Waits until all that was assigned before is durable; cancelling the task undoes nothing.
    ///
    /// - Throws: The error of the store, also one of reading; the error of a value in force that the store refuses; once, the
    ///   error of an assigned value outside the constraints of its setting; `CancellationError`.
    public func commit() async throws { try await storage.commit() }

    /// What is wrong with the store, else with the first setting that has an error.
    public var error: SettingsError? { storage.error }

    /// What is wrong with a setting or its store: the first of these, nil without an error.
    ///
    /// - The last value was refused, or cannot be stored and is in force in memory only.
    /// - The stored value does not fit or breaks the constraints, or its secret is damaged: it stays stored until something is
    ///   assigned, and the default is in force. A value that does not fit is then kept under
    ///   the name of the setting and `.unread`.
    /// - The store cannot be read, as one whose secrets need a key: the defaults are in force.
    /// - The store could not write the value: the model tries again every two seconds, with the next assignment, with
    ///   ``commit()`` and when the program ends.
    public func error<Value>(of path: SettingPath<Value>) -> SettingsError? {
        storage.error(of: Self.keys[keyPath: path])
    }

    /// The value of a setting, or those of several at one moment: the current one first, then each newer one, only the newest
    /// for a slow reader.
    ///
    /// Each value differs from the one before, and the last one is always delivered.
    public func changes<each Value: Sendable>(
        of paths: repeat SettingPath<each Value>
    ) -> SettingChanges<(repeat each Value)> {
        storage.changes(of: repeat Self.keys[keyPath: each paths])
    }

    /// The durable values: as they are now, then after each commit that changed one, by any author; a slow reader gets one
    /// element for several commits.
    public func commits() -> SettingChanges<Snapshot> {
        SettingChanges(core: storage.core) { state in
            (state.sightings, { [record = state.record] in .value(Snapshot(record)) })
        } deliver: {
            $0.after($1)
        }
    }

    /// Keeps the settings that are marked `@Synced` the same here and in a remote store, as long as the model lives.
    ///
    /// What is assigned while the remote store cannot be reached is sent when it can, also after a restart. A second call with
    /// the same remote store changes nothing.
    ///
    /// - Parameters:
    ///   - remote: Where others have the same settings.
    ///   - keyPrefix: What the names of the settings begin with in the remote store; the scope and a slash unless given.
    public func synchronize(with remote: any RemoteStore, keyPrefix: String? = nil) {
        storage.synchronize(with: remote, keyPrefix: keyPrefix)
    }

    /// Why a setting and its remote store do not agree; nil again after the next success.
    public func syncError<Value>(of path: SettingPath<Value>) -> SyncError? {
        storage.syncError(of: Self.keys[keyPath: path])
    }

    /// Why synchronisation fails: the connection to the remote store, or one setting; nil without an error.
    public var syncError: (any Error)? { storage.syncError }

    /// Waits until all that was assigned before is stored and sent, and all that the remote store had is here.
    ///
    /// - Throws: Why that cannot be.
    public func waitUntilSynced() async throws { try await storage.waitUntilSynced() }
}

extension SettingsModel where Self: Sendable {
    /// A value that follows from settings, such as a computed property: the current one first, then each newer one, only the
    /// newest for a slow reader.
    ///
    /// The value is read anew, on the reader's thread, after each change of the model: a setting, an error or a commit.
    /// If something changes meanwhile, the value is read again, so that it is of one moment: the code must not assign.
    /// Each value differs from the one before, and the last one is always delivered. Changes of other models, and of variables
    /// with `@SettingsIgnored`, do not wake the reader. A reader keeps the model alive from a change until it has read the value.
    ///
    /// Several paths must be settings. In a `@MainActor` class, put the property in an extension of ``SettingValues``.
    @_disfavoredOverload
    public func changes<Value: Sendable & Equatable>(
        of path: any KeyPath<Self, Value> & Sendable
    ) -> SettingChanges<Value> {
        storage.core.changes(of: self) { $0[keyPath: path] }
    }

    /// One setting as a value that can be handed on; keeps the model alive.
    public func binding<Value>(_ path: SettingPath<Value>) -> SettingBinding<Value> {
        SettingBinding(Self.keys[keyPath: path]) { self.storage }
    }
}
