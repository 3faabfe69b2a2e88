import Concurrency
import StoredSettings
import Synchronization
import TestSupport

/// Remote stores for tests: any number of clients over the values of some accounts, without a clock and without chance.
///
/// ```swift
/// let cloud = FakeCloud()
/// let here = cloud.client()
/// let there = cloud.client()
/// ```
/// Calls take effect in their order. The test decides which calls are late, lost or refused.
final class FakeCloud: Sendable {
    private struct State {
        var accounts: [String: [String: JSONValue]] = [:]
        var clients = WeakList<FakeRemoteStore>()
    }

    private let state = Mutex(State())

    /// Makes an empty cloud.
    init() {}

    /// Makes a client that is signed in and reachable; clients of one device have the same name.
    ///
    /// It calls `look` when it is asked for events, and when they are no longer wanted.
    func client(
        name: String = "fake cloud",
        account: String = "me",
        look: @escaping @Sendable () -> Void = {}
    ) -> FakeRemoteStore {
        let client = FakeRemoteStore(cloud: self, name: name, account: account, look: look)
        state.withLock { $0.clients.add(client) }
        return client
    }

    /// All values of an account, by key.
    func values(account: String = "me") -> [String: JSONValue] {
        state.withLock { $0.accounts[account] ?? [:] }
    }

    /// The value of a key.
    subscript(key: String, account account: String = "me") -> JSONValue? { values(account: account)[key] }

    /// Changes values as another program would, and tells all clients; nil removes one.
    func set(_ changes: [String: JSONValue?], account: String = "me") {
        store(changes, account: account, by: nil)
    }

    /// Takes changes, and tells the other clients.
    fileprivate func store(_ changes: [String: JSONValue?], account: String, by writer: FakeRemoteStore?) {
        let (changed, clients) = state.withLock { state in
            var values = state.accounts[account] ?? [:]
            let changed = Set(changes.filter { values[$0.key] != $0.value }.keys)
            for key in changed { values[key] = changes[key] ?? nil }
            state.accounts[account] = values
            return (changed, state.clients.objects)
        }
        for client in clients where client !== writer && !changed.isEmpty { client.tell(changed, of: account) }
    }
}

/// One device's connection to a ``FakeCloud``, which the test can cut, slow down, or make to fail.
final class FakeRemoteStore: RemoteStore {
    private struct State {
        var account: String
        var isOnline = true
        var isMute = false
        var isDelivering = true
        var undelivered: Set<String> = []
        var streams: [AsyncStream<RemoteEvent>.Continuation] = []
        var refusals: [String: SyncError] = [:]
        var writeFault: (any Error)?
        var writes: [[String: JSONValue?]] = []
        var reads: [Set<String>] = []

        var link: RemoteEvent { isOnline ? .connected : .disconnected() }
    }

    /// The name in messages and in the local store.
    let name: String
    private let cloud: FakeCloud
    private let look: @Sendable () -> Void
    private let state: Mutex<State>
    private let turnstile = Turnstile()

    fileprivate init(cloud: FakeCloud, name: String, account: String, look: @escaping @Sendable () -> Void) {
        self.cloud = cloud
        self.name = name
        self.look = look
        state = Mutex(State(account: account))
    }

    deinit {
        for stream in state.withLock(\.streams) { stream.finish() }
    }

    /// Begins with whether the cloud can be reached.
    func events() -> AsyncStream<RemoteEvent> {
        look()
        let (stream, continuation) = AsyncStream.makeStream(of: RemoteEvent.self)
        continuation.onTermination = { [look] _ in look() }
        state.withLock { state in
            state.streams.append(continuation)
            continuation.yield(state.link)
        }
        return stream
    }

    /// The account that is signed in.
    func account() async throws -> String { try await pass(nil) }

    /// What the cloud has for these keys.
    func values(of keys: Set<String>, account: String) async throws -> [String: JSONValue] {
        state.withLock { $0.reads.append(keys) }
        _ = try await pass(account)
        return cloud.values(account: account).filter { keys.contains($0.key) }
    }

    /// Hands changes to the cloud, but for those that the test refuses.
    func write(_ changes: [String: JSONValue?], account: String) async throws -> [String: SyncError] {
        state.withLock { $0.writes.append(changes) }
        _ = try await pass(account)
        if let fault = state.withLock(\.writeFault) { throw fault }
        let refusals = state.withLock(\.refusals).filter { changes[$0.key] != nil }
        cloud.store(changes.filter { refusals[$0.key] == nil }, account: account, by: self)
        return refusals
    }

    /// Waits while the store hangs, and gives the account; throws unless it is online and has that account.
    private func pass(_ account: String?) async throws -> String {
        try check(account)
        await turnstile.enter()
        return try check(account)
    }

    @discardableResult
    private func check(_ account: String?) throws -> String {
        try state.withLock { state in
            guard state.isOnline else { throw SyncError.offline }
            if let account, account != state.account {
                throw SyncError(.otherAccount, "has the values of another account now")
            }
            return state.account
        }
    }
}

/// What a test does to the connection, and sees of it.
extension FakeRemoteStore {
    /// Everything that was to be written, in order, refused or not.
    var writes: [[String: JSONValue?]] { state.withLock(\.writes) }

    /// Everything that was asked for, in order.
    var reads: [Set<String>] { state.withLock(\.reads) }

    /// How many calls wait for ``resume()``.
    var hangingCalls: Int { turnstile.waiting }

    /// Cuts the connection.
    func goOffline() {
        change {
            $0.isOnline = false
            return $0.link
        }
    }

    /// Connects again; what changed meanwhile is found by comparing.
    func goOnline() {
        change { state in
            state.isOnline = true
            state.undelivered = []
            return state.link
        }
    }

    /// Connects to another account.
    func signIn(_ account: String) {
        change { state in
            state.account = account
            state.undelivered = []
            return state.isOnline ? state.link : nil
        }
    }

    /// Tells nothing any more.
    func mute() { state.withLock { $0.isMute = true } }

    /// Keeps the news of others' changes back until ``deliver()``.
    func holdNews() { state.withLock { $0.isDelivering = false } }

    /// Tells what was kept back, and keeps nothing back any more.
    func deliver() {
        change { state in
            state.isDelivering = true
            defer { state.undelivered = [] }
            return state.undelivered.isEmpty || !state.isOnline ? nil : .changed(state.undelivered)
        }
    }

    /// Refuses all writes to some keys; nil takes them again.
    func refuse(_ keys: Set<String>, with error: SyncError?) {
        state.withLock { state in for key in keys { state.refusals[key] = error } }
    }

    /// Fails all writes as a whole; nil ends it.
    func failWrites(with error: (any Error)?) { state.withLock { $0.writeFault = error } }

    /// Answers nothing until ``resume()``, not even to a caller that has given up.
    func hang() { turnstile.close() }

    /// Answers what was asked meanwhile, and all that comes.
    func resume() { turnstile.open() }

    /// Tells of changes that never were, or of our own, as a remote store may.
    func tellAll(_ keys: Set<String>) { change { $0.isOnline ? .changed(keys) : nil } }

    /// Another client changed keys of an account.
    fileprivate func tell(_ keys: Set<String>, of account: String) {
        change { state in
            guard state.account == account, state.isOnline else { return nil }
            if state.isDelivering { return .changed(keys) }
            state.undelivered.formUnion(keys)
            return nil
        }
    }

    private func change(_ body: (inout State) -> RemoteEvent?) {
        state.withLock { state in
            guard let event = body(&state), !state.isMute else { return }
            // Under the lock, so that events come in the order in which they happened.
            state.streams.removeAll { if case .terminated = $0.yield(event) { true } else { false } }
        }
    }
}
