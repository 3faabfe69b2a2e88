import Synchronization

/// Keeps some settings of a scope the same in their store and in a remote one: the shell around ``SyncSchedule`` and
/// ``SyncLedger``.
///
/// It works on the store, not on a model: what it changes there reaches all models, in this process and others, as any
/// other change does; and what anybody stores is sent.
final class SyncEngine: Sendable {
    private typealias GiveUp = @Sendable (any Error) -> Void

    private struct Waiter {
        let request: Int
        let continuation: CheckedContinuation<Void, any Error>
    }

    private struct State {
        var schedule: SyncSchedule
        var waiters: [Int: Waiter] = [:]
        var lastID = 0
        /// Whose values the remote store had when it was last asked, and in which connection that was.
        var account: (name: String, connection: Int)?
        /// Ends the call to the remote store that runs.
        var giveUp: GiveUp?
        var retryTimer: Task<Void, Never>?
    }

    let status = SyncStatus()
    let ledger: SyncLedger
    private let remote: any RemoteStore
    private let store: any SettingsStore
    private let patience: Duration
    private let state: Mutex<State>
    private let (wakes, wake) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))

    init(_ ledger: SyncLedger, remote: any RemoteStore, store: any SettingsStore, options: SyncOptions) {
        self.ledger = ledger
        self.remote = remote
        self.store = store
        patience = options.patience
        state = Mutex(State(schedule: SyncSchedule(names: ledger.keys.map(\.name), backOff: options.backOff)))
    }

    deinit { state.withLock { $0.retryTimer?.cancel() } }

    /// Does what is to be done until the task is cancelled.
    func run() async {
        for await _ in wakes {
            while let exchange = state.withLock({ $0.schedule.begin(now: .now) }) {
                let result: Result<SyncSchedule.Report, any Error>
                do { result = .success(try await perform(exchange)) } catch { result = .failure(error) }
                if Task.isCancelled { return }
                finish(exchange, result)
            }
        }
    }

    func handle(_ event: RemoteEvent) {
        switch event {
        case .connected: change { $0.connect() }
        case .disconnected(let error): change { $0.disconnect(error.about(remote.name)) }
        case .changed(let names):
            let own = ledger.keys.filter { names.contains($0.remoteName) }.map(\.name)
            if !own.isEmpty { change { $0.hear(own) } }
        }
    }

    /// The store holds other values than before.
    func noteLocalChange() { change { $0.noteLocalChange() } }

    /// Waits until what is stored now and what the remote store has now were brought together; throws what prevents it.
    func waitUntilSynced() async throws {
        let id = state.withLock { state in
            state.lastID += 1
            return state.lastID
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let isWaiting = state.withLock { state in
                    // The handler may have run already, and then it found nobody to wake.
                    if Task.isCancelled { return false }
                    state.waiters[id] = Waiter(request: state.schedule.request(), continuation: continuation)
                    return true
                }
                if isWaiting { wake.yield() } else { continuation.resume(throwing: CancellationError()) }
            }
        } onCancel: {
            let waiter = state.withLock { $0.waiters.removeValue(forKey: id) }
            waiter?.continuation.resume(throwing: CancellationError())
        }
    }

    private func change(_ body: (inout SyncSchedule) -> Void) {
        let giveUp = state.withLock { state in
            let before = state.schedule.connection
            body(&state.schedule)
            return state.schedule.connection == before ? nil : state.giveUp
        }
        // Whoever waits gets the answer of the next call.
        giveUp?(SyncError.offline)
        publish()
        wake.yield()
    }

    private func finish(_ exchange: SyncSchedule.Exchange, _ result: Result<SyncSchedule.Report, any Error>) {
        let (answered, retry) = state.withLock { state in
            let last = state.schedule.finish(exchange, result, now: .now)
            let answered = state.waiters.filter { $0.value.request <= last }
            for id in answered.keys { state.waiters[id] = nil }
            return (answered.values.map(\.continuation), state.schedule.nextLook)
        }
        publish()
        let outcome: Result<Void, any Error> = status.first.map(Result.failure) ?? .success(())
        for waiter in answered { waiter.resume(with: outcome) }
        if let retry { wake(at: retry) }
    }

    private func wake(at instant: SyncSchedule.Instant) {
        let timer = Task { [wake] in
            try? await Task.sleep(until: instant, clock: .continuous)
            wake.yield()
        }
        state.withLock { state in
            state.retryTimer?.cancel()
            state.retryTimer = timer
        }
    }

    private func publish() {
        let (errors, obstacle) = state.withLock { ($0.schedule.errors, $0.schedule.obstacle) }
        let named = ledger.keys.compactMap { key in errors[key.name].map { (key.declaredName, $0) } }
        status.update(errors: Dictionary(uniqueKeysWithValues: named), obstacle: obstacle)
    }
}

extension SyncEngine {
    /// Asks for what is to be read, decides, and sends what is unsent.
    private func perform(_ exchange: SyncSchedule.Exchange) async throws -> SyncSchedule.Report {
        var report = SyncSchedule.Report()
        let account = try await account(exchange)
        let news = try await read(exchange.reads, account, &report)
        let (unsent, insisted) = try await decide(news, account, exchange)
        report.insisted = insisted
        report.heldBack = Set(unsent.keys.filter { exchange.holdsBack(unsent[$0], $0) })
        let sending = unsent.filter { !report.heldBack.contains($0.key) }
        guard !sending.isEmpty else { return report }
        let refused = try await send(sending, account)
        for (name, error) in refused { report.refused[name] = .init(value: sending[name] ?? nil, error: error) }
        let taken = sending.filter { refused[$0.key] == nil }
        report.taken = Set(taken.keys)
        if !taken.isEmpty {
            try await store.transact { [ledger] transaction in
                try ledger.acknowledge(taken, account: account, in: &transaction)
            }
        }
        return report
    }

    private func account(_ exchange: SyncSchedule.Exchange) async throws -> String {
        if !exchange.isRequested, let last = state.withLock(\.account), last.connection == exchange.connection {
            return last.name
        }
        let account = try await ask { try await $0.account() }
        state.withLock { $0.account = (account, exchange.connection) }
        return account
    }

    private func read(
        _ reads: [String: SyncEvent],
        _ account: String,
        _ report: inout SyncSchedule.Report
    ) async throws -> [String: SyncLedger.News] {
        guard !reads.isEmpty else { return [:] }
        let keys = ledger.keys.filter { reads[$0.name] != nil }
        let names = Set(keys.map(\.remoteName))
        let values = try await ask { try await $0.values(of: names, account: account) }
        var news: [String: SyncLedger.News] = [:]
        for key in keys {
            guard let event = reads[key.name] else { continue }
            switch values[key.remoteName].map(key.accept) {
            case nil: news[key.name] = .init(event: event, value: nil)
            case .success(let value): news[key.name] = .init(event: event, value: value)
            case .failure(let error):
                news[key.name] = .init(event: event, value: nil, isUnfit: true)
                report.unfit[key.name] = error
            }
        }
        return news
    }

    /// Changes the store as the news ask for; gives what is unsent then, and what is sent of it is marked so.
    private func decide(
        _ news: [String: SyncLedger.News],
        _ account: String,
        _ exchange: SyncSchedule.Exchange
    ) async throws -> (unsent: [String: SettingValue?], insisted: Set<String>) {
        let scopes: Set = [ledger.scope, ledger.markScope]
        if news.isEmpty {
            // Most changes of the store are none of ours, and need no transaction.
            let records = try await store.records(of: scopes)
            let unsent = ledger.unsent(
                to: account,
                values: records[ledger.scope]?.values ?? [:],
                marks: records[ledger.markScope]?.values ?? [:]
            )
            if unsent.isEmpty { return ([:], []) }
        }
        return try await store.transact { [ledger] transaction in
            let insisted = try ledger.reconcile(news, account: account, in: &transaction)
            let unsent = ledger.unsent(
                to: account,
                values: try transaction.record(ledger.scope)?.values ?? [:],
                marks: try transaction.record(ledger.markScope)?.values ?? [:]
            )
            try ledger.beginSending(unsent.keys.filter { !exchange.holdsBack(unsent[$0], $0) }, in: &transaction)
            return (unsent, insisted)
        }
    }

    /// The names of the keys that were refused.
    private func send(_ changes: [String: SettingValue?], _ account: String) async throws -> [String: SyncError] {
        let keys = ledger.keys.filter { changes[$0.name] != nil }
        let remoteChanges = Dictionary(uniqueKeysWithValues: keys.map { ($0.remoteName, changes[$0.name] ?? nil) })
        do {
            let refused = try await ask(aboutValues: true) {
                try await $0.write(remoteChanges, account: account)
            } late: { [weak self] in
                await self?.distrust(keys.map(\.name))
            }
            return Dictionary(
                uniqueKeysWithValues: keys.compactMap { key in refused[key.remoteName].map { (key.name, $0) } }
            )
        } catch let error as SyncError where error.code.isRefusal {
            return Dictionary(uniqueKeysWithValues: keys.map { ($0.name, error) })
        }
    }

    /// A write that was given up ended after all: it may have replaced a later one, which is then sent again.
    private func distrust(_ names: [String]) async {
        try? await store.transact { [ledger] transaction in
            try ledger.beginSending(names, in: &transaction)
        }
        noteLocalChange()
    }

    /// - Parameters:
    ///   - aboutValues: Whether a refusal is about the values, and not about the remote store.
    ///   - question: What to ask.
    ///   - late: Called when the answer comes after it was given up.
    /// - Returns: The answer.
    /// - Throws: Why there is none.
    private func ask<Answer: Sendable>(
        aboutValues: Bool = false,
        _ question: @escaping @Sendable (any RemoteStore) async throws -> Answer,
        late: @escaping @Sendable () async -> Void = {}
    ) async throws -> Answer {
        let call = RemoteCall<Answer>()
        state.withLock { $0.giveUp = { call.end(.failure($0)) } }
        defer { state.withLock { $0.giveUp = nil } }
        do {
            return try await call.answer(within: patience, late: late) { [remote] in try await question(remote) }
        } catch let error as SyncError where !aboutValues || !error.code.isRefusal {
            throw error.about(remote.name)
        }
    }
}

extension SyncSchedule.Exchange {
    /// Whether a value was refused and is not tried again yet.
    fileprivate func holdsBack(_ value: SettingValue??, _ name: String) -> Bool {
        guard let value, let refused = heldBack[name] else { return false }
        return value == refused
    }
}
