import Synchronization

/// The scopes of a store whose names begin with one of some prefixes: which of them came, changed and went.
///
/// ```swift
/// let printers = try store.follow("printer/")
/// for await _ in printers.wakes {
///     for (scope, change) in printers.take() { … }
/// }
/// ```
/// The first ``take()`` has all that are stored. What this process commits is there when its transaction returns. A model of a
/// scope that is followed is made without reading the store.
public final class FollowedScopes: Sendable {
    /// What became of a scope.
    public enum Change: Sendable, Hashable {
        case came(SettingsRecord)
        /// It was stored before, and has this record now.
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

    private struct State {
        /// What is stored; nil for a scope that was removed before the others were loaded.
        var records: [String: SettingsRecord?] = [:]
        var isLoaded = false
        /// The scopes of which ``FollowedScopes/take()`` told that they are stored.
        var told: Set<String> = []
    }

    /// Yields when there may be something to ``take()``.
    public var wakes: AsyncStream<Void> { news.wakes }

    private let prefixes: [String]
    private let follower: StoreFollower
    private let state = Mutex(State())
    private let news = Inbox(StoreChanges())

    init(_ prefixes: [String], follower: StoreFollower) { (self.prefixes, self.follower) = (prefixes, follower) }

    /// What happened since the last call, by scope; several changes of a scope are one.
    public func take() -> [String: Change] {
        state.withLock { state in
            var changes: [String: Change] = [:]
            for (name, new) in news.take().states {
                switch new {
                case .stored(let record):
                    changes[name] = state.told.insert(name).inserted ? .came(record) : .changed(record)
                case .removed: changes[name] = state.told.remove(name).map { _ in .went }
                case .unreadable(let fault): changes[name] = .unreadable(fault)
                }
            }
            return changes
        }
    }

    /// The record of a scope; nil if the scope is not followed or not loaded yet.
    func known(_ scope: String) -> SettingsRecord?? {
        guard isFollowed(scope) else { return nil }
        return state.withLock { $0.isLoaded ? .some($0.records[scope] ?? nil) : nil }
    }

    /// Adds records that were read after following began, unless a commit is newer; returns what is stored then.
    func load(_ records: [String: SettingsRecord]) -> StoreChanges {
        state.withLock { state in
            state.records.merge(records.mapValues(Optional.some)) { newer, _ in newer }
            state.isLoaded = true
            return StoreChanges(state.records.mapValues { $0.map(ScopeState.stored) ?? .removed })
        }
    }

    func note(_ changes: StoreChanges) {
        state.withLock { state in
            for (name, new) in changes.states where isFollowed(name) {
                switch new {
                case .stored(let record): state.records[name] = record
                // A record that is read before it was removed may still arrive.
                case .removed: state.records[name] = state.isLoaded ? nil : .some(nil)
                case .unreadable: break
                }
            }
        }
    }

    /// Lets ``take()`` report changes.
    func report(_ changes: StoreChanges) {
        let own = StoreChanges(changes.states.filter { isFollowed($0.key) })
        if !own.isEmpty { news.add { $0.add(own) } }
    }

    private func isFollowed(_ scope: String) -> Bool { prefixes.contains { scope.utf8.starts(with: $0.utf8) } }
}

extension SettingsStore {
    /// Follows all scopes whose names begin with one of some prefixes.
    ///
    /// - Throws: ``SettingsError`` if the store cannot be read.
    public func follow(_ prefixes: String...) throws -> FollowedScopes {
        try StoreFollower.shared(by: self).follow(prefixes)
    }
}
