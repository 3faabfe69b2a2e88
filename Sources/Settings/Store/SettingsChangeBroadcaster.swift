import Synchronization

/// Tells any number of readers which scopes changed; for those who write a store.
///
/// Each reader has one value, which grows until it is read.
public final class SettingsChangeBroadcaster: Sendable {
    private let readers = Mutex(WeakList<ChangeReader>())

    /// Makes one without readers.
    public init() {}

    /// The changes that are sent from now on.
    public func changes(
        where isWanted: @escaping @Sendable (_ scope: String) -> Bool = { _ in true }
    ) -> AsyncStream<StoreChanges> {
        let reader = ChangeReader(isWanted)
        readers.withLock { $0.add(reader) }
        return AsyncStream {
            await reader.next()
        } onCancel: {
            reader.finish()
        }
    }

    /// Tells all readers; must be called after the changes are durable.
    public func send(_ changes: StoreChanges) {
        guard !changes.scopes.isEmpty else { return }
        for reader in current() { reader.add(changes) }
    }

    /// Tells all readers of scopes that they have to read.
    public func send(_ scopes: Set<String>) { send(StoreChanges(scopes)) }

    /// Ends all streams, once what was sent has been read.
    public func finish() {
        for reader in current() { reader.finish() }
    }

    /// Whether anybody listens.
    package var hasReaders: Bool { !current().isEmpty }

    private func current() -> [ChangeReader] { readers.withLock(\.objects) }
}

private final class ChangeReader: Sendable {
    private struct State {
        var changes = StoreChanges([])
        var isFinished = false
        var waiter: CheckedContinuation<StoreChanges?, Never>?

        mutating func takeWaiter() -> CheckedContinuation<StoreChanges?, Never>? {
            defer { waiter = nil }
            return waiter
        }
    }

    private let state = Mutex(State())
    private let isWanted: @Sendable (String) -> Bool

    init(_ isWanted: @escaping @Sendable (String) -> Bool) { self.isWanted = isWanted }

    func add(_ more: StoreChanges) {
        let more = more.filter(isWanted)
        guard !more.scopes.isEmpty else { return }
        let waiter = state.withLock { state in
            let waiter = state.takeWaiter()
            if waiter == nil, !state.isFinished { state.changes.add(more) }
            return waiter
        }
        waiter?.resume(returning: more)
    }

    func finish() {
        let waiter = state.withLock { state in
            state.isFinished = true
            return state.takeWaiter()
        }
        waiter?.resume(returning: nil)
    }

    func next() async -> StoreChanges? {
        await withCheckedContinuation { continuation in
            let (answer, displaced) = state.withLock {
                state -> (StoreChanges??, CheckedContinuation<StoreChanges?, Never>?) in
                if !state.changes.scopes.isEmpty {
                    defer { state.changes = StoreChanges([]) }
                    return (state.changes, nil)
                }
                if state.isFinished { return (.some(nil), nil) }
                // Two tasks reading one stream is a misuse that must not hang the first for ever.
                let displaced = state.takeWaiter()
                state.waiter = continuation
                return (.none, displaced)
            }
            displaced?.resume(returning: StoreChanges([]))
            if let answer { continuation.resume(returning: answer) }
        }
    }
}
