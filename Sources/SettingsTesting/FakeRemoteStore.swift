public import Settings
import Synchronization

/// One device's way to a ``FakeCloud``, which the test can cut, slow down, or make to fail.
public final class FakeRemoteStore: RemoteStore {
    private struct State {
        var account: String
        var isOnline = true
        var isDelivering = true
        var undelivered: Set<String> = []
        var streams: [AsyncStream<RemoteEvent>.Continuation] = []
        var refusals: [String: SyncError] = [:]
        var writeFault: (any Error)?
        var isHanging = false
        var hanging: [CheckedContinuation<Void, Never>] = []
        var writes: [[String: SettingValue?]] = []
        var reads: [Set<String>] = []

        var link: RemoteEvent { isOnline ? .connected : .disconnected() }
    }

    /// What it is called.
    public let name: String
    private let cloud: FakeCloud
    private let state: Mutex<State>

    init(cloud: FakeCloud, name: String, account: String) {
        self.cloud = cloud
        self.name = name
        state = Mutex(State(account: account))
    }

    deinit {
        state.withLock { state in
            for stream in state.streams { stream.finish() }
        }
    }

    /// Begins with whether it can be reached.
    public func events() -> AsyncStream<RemoteEvent> {
        let (stream, continuation) = AsyncStream.makeStream(of: RemoteEvent.self)
        state.withLock { state in
            state.streams.append(continuation)
            continuation.yield(state.link)
        }
        return stream
    }

    /// Who is signed in.
    public func account() async throws -> String {
        try check(nil)
        await pass()
        return try check(nil)
    }

    /// What the cloud has for these keys.
    public func values(of keys: Set<String>, account: String) async throws -> [String: SettingValue] {
        state.withLock { $0.reads.append(keys) }
        try check(account)
        await pass()
        try check(account)
        return cloud.values(account: account).filter { keys.contains($0.key) }
    }

    /// Hands changes to the cloud, but for those that are to be refused.
    public func write(_ changes: [String: SettingValue?], account: String) async throws -> [String: SyncError] {
        state.withLock { $0.writes.append(changes) }
        try check(account)
        await pass()
        try check(account)
        if let fault = state.withLock(\.writeFault) { throw fault }
        let refusals = state.withLock(\.refusals).filter { changes[$0.key] != nil }
        let full = cloud.store(changes.filter { refusals[$0.key] == nil }, account: account, by: self)
        let noRoom = SyncError(.quotaExceeded, "is not in the cloud, which is full; remove something there")
        return refusals.merging(full.map { ($0, noRoom) }) { $1 }
    }
}

extension FakeRemoteStore {
    /// Everything that was to be written, in order, refused or not.
    public var writes: [[String: SettingValue?]] { state.withLock(\.writes) }

    /// Everything that was asked for, in order.
    public var reads: [Set<String>] { state.withLock(\.reads) }

    /// Cuts the connection.
    public func goOffline() {
        change {
            $0.isOnline = false
            return $0.link
        }
    }

    /// Connects again; what changed meanwhile is found by comparing.
    public func goOnline() {
        change { state in
            state.isOnline = true
            state.undelivered = []
            return state.link
        }
    }

    /// Connects to another account.
    public func signIn(_ account: String) {
        change { state in
            state.account = account
            state.undelivered = []
            return state.isOnline ? state.link : nil
        }
    }

    /// Keeps the news of others' changes back until ``deliver()``.
    public func holdNews() { state.withLock { $0.isDelivering = false } }

    /// Tells what was kept back, and keeps nothing back any more.
    public func deliver() {
        change { state in
            state.isDelivering = true
            defer { state.undelivered = [] }
            return state.undelivered.isEmpty || !state.isOnline ? nil : .changed(state.undelivered)
        }
    }

    /// Refuses all writes to some keys; nil takes them again.
    public func refuse(_ keys: Set<String>, with error: SyncError?) {
        state.withLock { state in
            for key in keys { state.refusals[key] = error }
        }
    }

    /// Fails all writes as a whole; nil ends it.
    public func failWrites(with error: (any Error)?) { state.withLock { $0.writeFault = error } }

    /// Answers nothing until ``resume()``, not even to a caller that has given up.
    public func hang() { state.withLock { $0.isHanging = true } }

    /// Answers what was asked meanwhile, and all that comes.
    public func resume() {
        let hanging = state.withLock { state in
            state.isHanging = false
            defer { state.hanging = [] }
            return state.hanging
        }
        for caller in hanging { caller.resume() }
    }

    /// How many calls wait for ``resume()``.
    public var hangingCalls: Int { state.withLock(\.hanging.count) }

    /// Tells of changes that never were, or of our own, as a remote store may.
    public func tellAll(_ keys: Set<String>) { change { $0.isOnline ? .changed(keys) : nil } }

    /// Somebody else changed keys of an account.
    func tell(_ keys: Set<String>, of account: String) {
        change { state in
            guard state.account == account, state.isOnline else { return nil }
            if state.isDelivering { return .changed(keys) }
            state.undelivered.formUnion(keys)
            return nil
        }
    }

    private func change(_ body: (inout State) -> RemoteEvent?) {
        state.withLock { state in
            guard let event = body(&state) else { return }
            // Inside the lock, so that events come in the order in which they happened.
            state.streams.removeAll { stream in
                if case .terminated = stream.yield(event) { true } else { false }
            }
        }
    }

    private func pass() async {
        await withCheckedContinuation { continuation in
            let isHanging = state.withLock { state in
                if state.isHanging { state.hanging.append(continuation) }
                return state.isHanging
            }
            if !isHanging { continuation.resume() }
        }
    }

    /// Whether a call gets through now; gives the account.
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
