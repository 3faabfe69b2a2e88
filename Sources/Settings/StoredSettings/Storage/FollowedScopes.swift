import Concurrency
import Synchronization

/// Follows the scopes of a store that have one of some prefixes, and reports their states after each change.
///
/// ```swift
/// let printers = try store.follow("printer/")
/// while let changes = await printers.next() {
///     for (scope, state) in changes { … }
/// }
/// ```
/// The first changes report every stored scope. What this process commits is ready for ``take()`` when its transaction
/// returns. A model of a followed scope is made without reading the store.
public final class FollowedScopes: Sendable {
    private struct State {
        var scopes: [String: ScopeState] = [:]
        /// The scopes that ``FollowedScopes/take()`` reports next, and those that it has reported.
        var fresh: Set<String> = []
        var reported: Set<String> = []
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
    public func next() async -> [String: ScopeState]? {
        while await wakeup.next() {
            // A scope may have come and gone, or have been taken already.
            let changes = take()
            if !changes.isEmpty { return changes }
        }
        return nil
    }

    /// Returns the present state of each scope that has changed since the last call.
    public func take() -> [String: ScopeState] {
        state.withLock { state in
            var changes: [String: ScopeState] = [:]
            for name in state.fresh {
                guard let scope = state.scopes[name] else { continue }
                let isKnown = state.reported.contains(name)
                if scope == .removed {
                    (state.scopes[name], changes[name]) = (nil, isKnown ? .removed : nil)
                    state.reported.remove(name)
                } else {
                    changes[name] = scope
                    state.reported.insert(name)
                }
            }
            state.fresh = []
            return changes
        }
    }

    /// The record of a scope; nil if the scope is not followed, not loaded yet, or not readable.
    func known(_ scope: String) -> SettingsRecord?? {
        guard isFollowed(scope) else { return nil }
        return state.withLock { state in
            guard state.isLoaded else { return nil }
            if case .unreadable = state.scopes[scope] { return nil }
            return .some(state.scopes[scope]?.record)
        }
    }

    /// Adds records that were read after following began, unless a commit is newer; returns all scopes.
    func load(_ records: [String: SettingsRecord]) -> Set<String> {
        state.withLock { state in
            state.scopes.merge(records.mapValues { .stored($0) }) { newer, _ in newer }
            state.isLoaded = true
            return Set(state.scopes.keys)
        }
    }

    func note(_ changes: StoreChanges) {
        state.withLock { state in
            for (name, new) in changes.states where isFollowed(name) {
                // Without the names of the changed values: several commits may be reported as one.
                state.scopes[name] = new.record.map { .stored($0) } ?? new
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
