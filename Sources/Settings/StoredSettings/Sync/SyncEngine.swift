import Concurrency
import Synchronization

/// Synchronises settings of a scope between their store and a remote one, as ``SyncSchedule`` and ``SyncedScope`` decide.
///
/// It works on the store: its changes reach all models, in this process and others, and it sends the changes of all of them.
final class SyncEngine: Sendable {
    private struct State {
        var schedule: SyncSchedule
        var waiters: [(request: Int, answer: Answer<Void>)] = []
        var account: String?
        /// The remote values that cannot be read here, by the names of their settings.
        var unread: [String: JSONValue] = [:]
        var reported: (errors: [String: SyncError], obstacle: String?) = ([:], nil)
    }

    let syncedScope: SyncedScope
    private let remote: any RemoteStore
    private let calls: RemoteCalls
    private let store: any SettingsStore
    private let onStatus: @Sendable () -> Void
    private let state: Mutex<State>
    private let wakeup = Wakeup()

    /// Calls `onStatus` after ``error(of:)`` or ``error`` may have changed.
    init(
        _ syncedScope: SyncedScope,
        remote: any RemoteStore,
        store: any SettingsStore,
        options: SyncOptions,
        onStatus: @escaping @Sendable () -> Void
    ) {
        self.syncedScope = syncedScope
        self.remote = remote
        self.store = store
        self.onStatus = onStatus
        calls = RemoteCalls(remote, timeout: options.timeout)
        state = Mutex(State(schedule: SyncSchedule(names: syncedScope.keys.map(\.name), options: options)))
    }

    /// Runs until the tasks are cancelled; begins after `earlier`, which waits for earlier assignments.
    func start(after earlier: @escaping @Sendable () async -> Void) -> [Task<Void, Never>] {
        // Listen before the first exchange, so that no change is missed.
        let events = remote.events()
        let observer = StoreObserver { [weak self, scope = syncedScope.scope] changes in
            if changes.states[scope] != nil { self?.change { $0.noteLocalChange() } }
        }
        store.add(observer)
        return [
            Task {
                for await event in events { handle(event) }
                if !Task.isCancelled { handle(.disconnected(SyncError(.offline, "sends no more events"))) }
            },
            Task {
                await earlier()
                while !Task.isCancelled {
                    await exchangeAll()
                    // If this time has passed already, wait for an event, such as a connection.
                    let pause = state.withLock(\.schedule.nextLook).map { ContinuousClock.now.duration(to: $0) }
                    await wakeup.wait(seconds: pause.flatMap { $0 > .zero ? $0 / .seconds(1) : nil })
                }
                withExtendedLifetime(observer) {}
            },
        ]
    }

    func error(of name: String) -> SyncError? { state.withLock { $0.schedule.errors[name] } }

    /// The obstacle, or the error of the first setting by name.
    var error: (any Error)? {
        let (errors, obstacle) = state.withLock { ($0.schedule.errors, $0.schedule.obstacle) }
        return obstacle ?? errors.min { $0.key < $1.key }.map { $0.value.about($0.key) }
    }

    /// Waits for an exchange that begins from now on; throws why it failed.
    func waitUntilSynced() async throws {
        try await awaitAnswer { answer in
            state.withLock { $0.waiters.append(($0.schedule.request(), answer)) }
            wakeup.signal()
        }
    }

    private func handle(_ event: RemoteEvent) {
        switch event {
        case .connected: change { $0.connect() }
        case .disconnected(let error): change { $0.disconnect(error.about(remote.name)) }
        case .changed(let names):
            let own = syncedScope.keys.filter { names.contains($0.remoteName) }.map(\.name)
            if !own.isEmpty { change { $0.hear(own) } }
        }
    }

    private func change(_ body: (inout SyncSchedule) -> Void) {
        let giveUp = state.withLock { state in
            let before = state.schedule.connection
            body(&state.schedule)
            return state.schedule.connection == before ? nil : calls.giveUp
        }
        // End the call that is running; the next one answers the waiters.
        giveUp?(SyncError.offline)
        report()
        wakeup.signal()
    }

    private func report() {
        let isOther = state.withLock { state in
            let now = (errors: state.schedule.errors, obstacle: state.schedule.obstacle.map { "\($0)" })
            defer { state.reported = now }
            return now != state.reported
        }
        if isOther { onStatus() }
    }

    private func exchangeAll() async {
        while let exchange = state.withLock({ $0.schedule.begin(now: .now) }) {
            let result: Result<SyncSchedule.Report, any Error>
            do {
                result = .success(try await perform(exchange))
            } catch {
                result = .failure((error as? SyncError)?.about(remote.name) ?? error)
            }
            if Task.isCancelled { return }
            let answered = state.withLock { state in
                let last = state.schedule.finish(exchange, result, now: .now)
                defer { state.waiters.removeAll { $0.request <= last } }
                return state.waiters.filter { $0.request <= last }
            }
            report()
            let outcome: Result<Void, any Error> = error.map(Result.failure) ?? .success(())
            for waiter in answered { waiter.answer.yield(outcome) }
        }
    }

    private func perform(_ exchange: SyncSchedule.Exchange) async throws -> SyncSchedule.Report {
        let account = try await calls.ask { try await $0.account() }
        let isOther = state.withLock { state in
            defer { state.account = account }
            return state.account != nil && state.account != account
        }
        // After a change of account, announced or not, all keys must be compared.
        if isOther, exchange.reads.count < syncedScope.keys.count {
            throw SyncError(.otherAccount, "has the values of another account now")
        }
        let news = try await read(exchange, account)
        var (sending, report) = try await decide(news, account, exchange.refused)
        guard !sending.isEmpty else { return report }
        let refused = try await send(sending, account)
        for (name, error) in refused { report.refused[name] = (sending[name] ?? nil, error) }
        let taken = sending.filter { refused[$0.key] == nil }
        report.taken = Set(taken.keys)
        state.withLock { state in for name in taken.keys { state.unread[name] = nil } }
        if !taken.isEmpty {
            try await store.transact { [syncedScope] in try syncedScope.acknowledge(taken, account: account, in: &$0) }
        }
        return report
    }

    private func decide(
        _ news: [String: SyncedScope.News],
        _ account: String,
        _ refused: [String: JSONValue?]
    ) async throws -> (sending: [String: JSONValue?], SyncSchedule.Report) {
        let unread = state.withLock { state in
            for (name, news) in news { state.unread[name] = news.unread }
            return state.unread
        }
        func decide(_ news: [String: SyncedScope.News]) async throws -> ([String: JSONValue?], SyncSchedule.Report) {
            try await store.transact { [syncedScope] in
                try syncedScope.decide(news, account: account, refused: refused, unread: unread, in: &$0)
            }
        }
        do { return try await decide(news) } catch let error as SettingsError where error.code == .noKey {
            return try await decide(news.mapValues { $0.withoutSecret(because: error) })
        }
    }

    private func read(
        _ exchange: SyncSchedule.Exchange,
        _ account: String
    ) async throws -> [String: SyncedScope.News] {
        guard !exchange.reads.isEmpty else { return [:] }
        let keys = syncedScope.keys.filter { exchange.reads.contains($0.name) }
        let names = Set(keys.map(\.remoteName))
        let values = try await calls.ask { try await $0.values(of: names, account: account) }
        return keys.reduce(into: [:]) { news, key in
            let value = values[key.remoteName]
            news[key.name] = SyncedScope.News(
                isInitial: exchange.isInitial,
                value: key.accept(value),
                unread: key.unread(value)
            )
        }
    }

    private func send(_ changes: [String: JSONValue?], _ account: String) async throws -> [String: SyncError] {
        let keys = syncedScope.keys.filter { changes[$0.name] != nil }
        let remoteChanges = Dictionary(uniqueKeysWithValues: keys.map { ($0.remoteName, changes[$0.name] ?? nil) })
        do {
            let refused = try await calls.ask {
                try await $0.write(remoteChanges, account: account)
            } late: { [weak self] in
                await self?.distrust(keys.map(\.name))
            }
            let named = keys.compactMap { key in refused[key.remoteName].map { (key.name, $0) } }
            return Dictionary(uniqueKeysWithValues: named)
        } catch let error as SyncError where error.code.isRefusal {
            return Dictionary(uniqueKeysWithValues: keys.map { ($0.name, error) })
        }
    }

    /// Sends values again: an abandoned write that succeeded late may have replaced them.
    private func distrust(_ names: [String]) async {
        try? await store.transact { [syncedScope] in try syncedScope.distrust(names, in: &$0) }
        change { $0.noteLocalChange() }
    }
}
