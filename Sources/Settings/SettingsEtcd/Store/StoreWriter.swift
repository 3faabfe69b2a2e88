/// Commits plans one after the other, each exactly once or not at all.
///
/// The writer has a key of its own, which every commit compares and changes. When the answer to a commit is missing, that
/// key tells: either it has the commit's name, or changing it makes sure that the commit can never be carried out.
actor StoreWriter {
    enum Result {
        case stored(revision: Int)
        /// Something that was compared has changed; the mirror must first come to this revision.
        case conflict(revision: Int)
    }

    private let client: EtcdClient
    private let keys: StoreKeys
    private let key: String
    private let fence: @Sendable () -> [EtcdCompare]?
    /// The revision that last changed the writer's key; nil when that has to be read.
    private var revision: Int? = 0
    private var commits = 0

    private static var leaseHasEnded: EtcdError { EtcdError(.refused, "the lease of this member has ended") }

    init(_ client: EtcdClient, keys: StoreKeys, name: String, fence: @escaping @Sendable () -> [EtcdCompare]?) {
        self.client = client
        self.keys = keys
        key = keys.writer(name)
        self.fence = fence
    }

    /// Commits a plan; throws ``EtcdError/Code/outcomeUnknown`` when it cannot be found out what became of it.
    func commit(_ plan: CommitPlan) async throws -> Result {
        if plan.puts.isEmpty {
            if plan.compares.isEmpty { return .stored(revision: 0) }
            let outcome = try await client.transact(plan.compares, then: [], else: plan.newest)
            return outcome.succeeded
                ? .stored(revision: 0) : .conflict(revision: outcome.newestRevision(below: keys.prefix, but: key))
        }
        // Fail at once: etcd may stay unreachable for long, and the bridge has to give its printers away.
        guard let fence = fence() else { throw Self.leaseHasEnded }
        commits += 1
        let name = Array("\(commits)".utf8)
        if revision == nil { revision = try await client.read(.one(key)).keys.first?.modRevision ?? 0 }
        let before = revision ?? 0
        do {
            let outcome = try await client.transact(
                plan.compares + [.modRevision(key, is: before)] + fence,
                then: plan.puts + [.put(key, name)],
                else: plan.newest + [.readKeys(.one(key))] + fence.map { .readKeys($0.keys) }
            )
            if outcome.succeeded {
                revision = outcome.revision
                return .stored(revision: outcome.revision)
            }
            let own = outcome.found.first { $0.key == key }?.modRevision ?? 0
            if own != before { revision = own }
            if !fence.isEmpty, !outcome.holds(fence) { throw Self.leaseHasEnded }
            return .conflict(revision: outcome.newestRevision(below: keys.prefix, but: key))
        } catch let error as EtcdError where error.code == .outcomeUnknown {
            return try await resolve(name, before, error)
        }
    }

    /// Finds out what became of a commit, and keeps it from being carried out later.
    private func resolve(_ name: [UInt8], _ before: Int, _ failure: EtcdError) async throws -> Result {
        revision = nil
        for _ in 0..<client.configuration.endpoints.count where fence() != nil {
            guard
                let outcome = try? await client.transact(
                    [.modRevision(key, is: before)],
                    then: [.put(key, [])],
                    else: [.read(.one(key))]
                )
            else { continue }
            if outcome.succeeded {
                revision = outcome.revision
                throw EtcdError(.noLeader, failure.message)
            }
            guard let own = outcome.found.first else { break }
            revision = own.modRevision
            if own.value == name { return .stored(revision: own.modRevision) }
            // An earlier attempt to change the key has come through, and the commit has not.
            throw EtcdError(.noLeader, failure.message)
        }
        throw failure
    }

    func close() async {
        if revision != 0 { _ = try? await client.transact([], then: [.delete(.one(key))]) }
        revision = nil
    }
}

extension CommitPlan {
    /// Reads the revisions of the compared keys; the mirror must reach them before the next attempt.
    fileprivate var newest: [EtcdOperation] {
        compares.map { compare in
            if case .prefix = compare.keys { .readNewest(compare.keys) } else { .readKeys(compare.keys) }
        }
    }
}

extension EtcdOutcome {
    /// The newest revision among the store's keys that were found, except `key`.
    fileprivate func newestRevision(below prefix: String, but key: String) -> Int {
        found.filter { $0.key.hasPrefix(prefix) && $0.key != key }.map(\.modRevision).max() ?? 0
    }

    /// Whether keys that a fence compares are still there.
    fileprivate func holds(_ fence: [EtcdCompare]) -> Bool {
        let found = Set(found.map(\.key))
        return fence.allSatisfy { if case .one(let key) = $0.keys { found.contains(key) } else { true } }
    }
}
