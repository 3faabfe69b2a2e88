import StoredSettings
import Synchronization

/// What all stores of one process over the same keys share: one mirror, one watch, one writer.
///
/// So what one of them has stored, another one reads at once.
final class StoreCore: Sendable {
    private struct State {
        var mirror: MirroredStore
        var waiters: [(revision: Int, wake: CheckedContinuation<Void, Never>)] = []

        mutating func takeWaiters(upTo revision: Int) -> [CheckedContinuation<Void, Never>] {
            defer { waiters.removeAll { $0.revision <= revision } }
            return waiters.filter { $0.revision <= revision }.map(\.wake)
        }
    }

    /// Commits that fail for what others write in between are tried again so often.
    private static let attempts = 100
    /// How long a commit that etcd has certainly not carried out is tried again: the members elect another leader in less.
    private static let electionTime = Duration.seconds(10)

    let client: EtcdClient
    let keys: StoreKeys
    let secrets: SecretBox
    let observers = StoreObservers()
    private let writer: StoreWriter
    private let waiting = WaitingJobs()
    private let state: Mutex<State>
    private let watch = Mutex<Task<Void, Never>?>(nil)

    private init(_ client: EtcdClient, keys: StoreKeys, secrets: SecretBox, options: EtcdSettingsStore.Options) {
        self.client = client
        self.keys = keys
        self.secrets = secrets
        let name = "\(options.writer)-\(String.randomEpoch())"
        writer = StoreWriter(client, keys: keys, name: name, fence: options.fence)
        state = Mutex(State(mirror: MirroredStore(keys)))
    }

    deinit {
        watch.withLock { $0?.cancel() }
        observers.finish()
        Task { [writer] in await writer.close() }
    }

    /// Opens a store, which is made where there is none.
    static func open(
        _ client: EtcdClient,
        keys: StoreKeys,
        secrets: SecretBox,
        options: EtcdSettingsStore.Options
    ) async throws -> StoreCore {
        let core = StoreCore(client, keys: keys, secrets: secrets, options: options)
        let watch = EtcdWatch(client, keys.watched)
        var page = try await watch.load()
        if !page.keys.contains(where: { $0.key == keys.meta }) {
            // At once, so that nobody stores anything with another key first.
            let meta = SettingValue.meta(epoch: .randomEpoch(), key: options.keyIdentifier)
            _ = try await client.transact([.createRevision(keys.meta, is: 0)], then: [.put(keys.meta, meta)])
            page = try await watch.load()
        }
        try core.check(page)
        core.take(.all(page.keys, revision: page.revision))
        let task = Task { [weak core] in
            await watch.run(after: page.revision) { core?.take($0) }
        }
        core.watch.withLock { $0 = task }
        return core
    }

    private func check(_ page: EtcdClient.Page) throws {
        let meta = page.keys.first { $0.key == keys.meta }
        let members = try SettingValue(json: meta?.value ?? [], limits: .stored).objectValue ?? [:]
        guard let format = members["format"]?.intValue, members["epoch"]?.stringValue != nil else {
            throw SettingsError(.foreignFile, "the keys below \(keys.prefix) in etcd are not a store of settings")
        }
        guard format <= StoreKeys.format else {
            throw SettingsError(.newerSchema, "a later version of the program wrote the settings below \(keys.prefix)")
        }
        try secrets.check(members["key"]?.stringValue)
    }

    // MARK: Reading

    /// Reads what is mirrored, as it is at one moment.
    func read<Result>(_ body: (any SettingsReader) throws -> Result) rethrows -> Result {
        // A copy shares its storage.
        let document = state.withLock(\.mirror.document)
        return try body(DocumentReader(document: document, secrets: secrets))
    }

    private func take(_ changes: EtcdChanges) {
        let awake = state.withLock { state in
            let changed = state.mirror.take(changes)
            let reader = DocumentReader(document: state.mirror.document, secrets: secrets)
            observers.enqueue(StoreChanges(of: changed, in: reader))
            return state.takeWaiters(upTo: state.mirror.revision)
        }
        observers.deliver()
        for waiter in awake { waiter.resume() }
    }

    /// Waits until everything up to a revision is mirrored, for a limited time.
    private func catchUp(to revision: Int) async {
        let timer = Task {
            try await Task.sleep(for: client.configuration.timeout)
            // It is read again: a watch that is silent for so long may have been cut.
            try? await reload()
            for waiter in state.withLock({ $0.takeWaiters(upTo: revision) }) { waiter.resume() }
        }
        await withCheckedContinuation { continuation in
            let isThere = state.withLock { state in
                if state.mirror.revision >= revision { return true }
                state.waiters.append((revision, continuation))
                return false
            }
            if isThere { continuation.resume() }
        }
        timer.cancel()
    }

    private func reload() async throws {
        let before = state.withLock(\.mirror.revision)
        let page = try await EtcdWatch(client, keys.watched).load()
        // The watch was quicker. An earlier revision than before means that the cluster was restored.
        let isOvertaken = page.revision >= before && page.revision < state.withLock(\.mirror.revision)
        if !isOvertaken { take(.all(page.keys, revision: page.revision)) }
    }

    // MARK: Writing

    func add(_ job: WriteJob) {
        guard waiting.add(job) else { return }
        Task {
            while let jobs = self.waiting.next() { await self.run(jobs[...]) }
        }
    }

    private func run(_ jobs: ArraySlice<WriteJob>) async {
        var left = jobs
        while !left.isEmpty { left = left.dropFirst(await runSome(left)) }
    }

    /// Commits as many jobs as fit into one transaction of etcd; gives their number.
    private func runSome(_ jobs: ArraySlice<WriteJob>) async -> Int {
        var taken = jobs.count
        let deadline = ContinuousClock.now + Self.electionTime
        do {
            for attempt in 0..<Self.attempts {
                let plan = state.withLock { CommitPlan(jobs, over: $0.mirror, keys: keys, secrets: secrets) }
                taken = plan.taken
                if plan.size > CommitPlan.sizeLimit, taken > 1 { return await runSome(jobs.prefix(taken / 2)) }
                do {
                    switch try await writer.commit(plan) {
                    case .stored(let revision):
                        keep(plan, revision)
                        for deliver in plan.deliveries { deliver() }
                        return taken
                    case .conflict(let revision):
                        await catchUp(to: revision)
                        // Two writers that meet again and again go apart.
                        if attempt > 2 { try await Task.sleep(for: .milliseconds(.random(in: 1...10))) }
                        // What conflicts may never come by the watch.
                        if attempt % 10 == 9 { try await reload() }
                    }
                } catch let error as EtcdError where error.isOfElection && .now < deadline {
                    try await Task.sleep(for: .milliseconds(100))
                }
            }
            throw SettingsError(.busy, "other writers change the same settings all the time: try again later")
        } catch {
            let error = SettingsError.wrapping(error)
            for job in jobs.prefix(taken) { job.fail(error) }
            return taken
        }
    }

    /// Mirrors what was just stored, without waiting for the watch.
    private func keep(_ plan: CommitPlan, _ revision: Int) {
        guard revision > 0 else { return }
        let keys = plan.puts.compactMap { put -> EtcdKeyValue? in
            guard case .put(let key, let value, _) = put else { return nil }
            return EtcdKeyValue(key: key, value: value, modRevision: revision)
        }
        // The revision of the mirror stays: what others stored before may still be on its way.
        take(.some(keys, revision: 0))
    }
}

extension SettingsError {
    static func wrapping(_ error: any Error) -> any Error {
        guard let error = error as? EtcdError else { return error }
        return switch error.code {
        case .unreachable, .down:
            SettingsError(.unavailable, "etcd cannot be reached, so nothing was changed: \(error.message)")
        case .noLeader, .noQuorum:
            SettingsError(.unavailable, "etcd has no majority of its members, so nothing was changed: \(error.message)")
        case .outcomeUnknown:
            SettingsError(
                .unavailable,
                "etcd did not answer, so the change may have been stored or not: \(error.message)"
            )
        case .notAllowed: SettingsError(.readOnly, "etcd does not permit the change: \(error.message)")
        case .full: SettingsError(.full, "etcd is out of space, so nothing was changed: \(error.message)")
        case .compacted, .leaseNotFound, .refused:
            SettingsError(.unavailable, "etcd refused the change: \(error.message)")
        }
    }
}
