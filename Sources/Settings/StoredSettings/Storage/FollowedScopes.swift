import Concurrency
import Synchronization

/// The scopes of a store whose names begin with one of some prefixes: which of them came, changed and went.
///
/// ```swift
/// let printers = try store.follow("printer/")
/// while let changes = await printers.next() {
///     for (scope, change) in changes { … }
/// }
/// ```
/// The first changes report every stored scope. What this process commits is ready for ``take()`` when its transaction
/// returns. A model of a followed scope is made without reading the store.
public final class FollowedScopes: Sendable {
    /// What became of a scope.
    public enum Change: Sendable, Hashable {
        /// The first record that is reported of it, also after it was unreadable.
        case came(SettingsRecord)
        /// It came before, and has this record now.
        case changed(SettingsRecord)
        case went
        case unreadable(SettingsError)

        /// What is stored now, if it can be read.
        public var record: SettingsRecord? {
            switch self {
            case .came(let record), .changed(let record): record
            case .went, .unreadable: nil
            }
        }
    }

    private struct Scope {
        var record: SettingsRecord?
        /// Why the record is not known, since the last commit could not be read.
        var fault: SettingsError?
        /// Whether it was reported, and whether with a record.
        var isReported = false
        var hasCome = false
    }

    private struct State {
        var scopes: [String: Scope] = [:]
        /// The scopes that ``FollowedScopes/take()`` reports next.
        var fresh: Set<String> = []
        var isLoaded = false
    }

    private let prefixes: [String]
    private let follower: StoreFollower
    private let state = Mutex(State())
    private let wakeup = Wakeup()

    init(_ prefixes: [String], follower: StoreFollower) { (self.prefixes, self.follower) = (prefixes, follower) }

    /// Waits until something has happened, and takes it; nil once its task is cancelled.
    ///
    /// For one task at a time.
    public func next() async -> [String: Change]? {
        while await wakeup.next() {
            // A scope may have come and gone, or have been taken already.
            let changes = take()
            if !changes.isEmpty { return changes }
        }
        return nil
    }

    /// What happened since the last call, by scope; several changes of a scope are one.
    public func take() -> [String: Change] {
        state.withLock { state in
            var changes: [String: Change] = [:]
            for name in state.fresh {
                guard var scope = state.scopes[name] else { continue }
                switch (scope.fault, scope.record) {
                case (let fault?, _): changes[name] = .unreadable(fault)
                case (nil, let record?):
                    changes[name] = scope.hasCome ? .changed(record) : .came(record)
                    scope.hasCome = true
                case (nil, nil): changes[name] = scope.isReported ? .went : nil
                }
                scope.isReported = true
                state.scopes[name] = scope.record == nil && scope.fault == nil ? nil : scope
            }
            state.fresh = []
            return changes
        }
    }

    /// The record of a scope; nil if the scope is not followed, not loaded yet, or not readable.
    func known(_ scope: String) -> SettingsRecord?? {
        guard isFollowed(scope) else { return nil }
        return state.withLock { state in
            state.isLoaded && state.scopes[scope]?.fault == nil ? .some(state.scopes[scope]?.record) : nil
        }
    }

    /// Adds records that were read after following began, unless a commit is newer; returns all scopes.
    func load(_ records: [String: SettingsRecord]) -> Set<String> {
        state.withLock { state in
            for (scope, record) in records where state.scopes[scope] == nil {
                state.scopes[scope] = Scope(record: record)
            }
            state.isLoaded = true
            return Set(state.scopes.keys)
        }
    }

    func note(_ changes: StoreChanges) {
        state.withLock { state in
            for (name, new) in changes.states where isFollowed(name) {
                var scope = state.scopes[name] ?? Scope()
                if case .unreadable(let fault) = new {
                    scope.fault = fault
                } else {
                    (scope.record, scope.fault) = (new.record, nil)
                }
                state.scopes[name] = scope
            }
        }
    }

    /// Lets ``take()`` report scopes.
    func report(_ scopes: Set<String>) {
        let own = scopes.filter(isFollowed)
        guard !own.isEmpty else { return }
        state.withLock { $0.fresh.formUnion(own) }
        wakeup.signal()
    }

    private func isFollowed(_ scope: String) -> Bool { prefixes.contains { scope.hasPrefix($0) } }
}

extension SettingsStore {
    /// Follows all scopes whose names begin with one of some prefixes.
    ///
    /// - Throws: ``SettingsError`` if the store cannot be read.
    public func follow(_ prefixes: String...) throws -> FollowedScopes {
        try StoreFollower.shared(by: self).follow(prefixes)
    }
}
