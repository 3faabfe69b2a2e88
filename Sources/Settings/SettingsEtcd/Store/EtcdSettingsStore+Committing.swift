import StoredSettings
import Synchronization

extension EtcdSettingsStore {
    /// How often a commit is tried again because others write in between.
    private static let attempts = 100
    /// How long to retry a commit that etcd certainly has not carried out; electing a leader takes less time.
    private static let electionTime = Duration.seconds(10)

    func add(_ job: WriteJob) {
        guard waiting.add(job) else { return }
        Task {
            while let jobs = waiting.next() {
                var left = jobs[...]
                while !left.isEmpty { left = left.dropFirst(await commitSome(left)) }
            }
        }
    }

    /// Commits as many jobs as fit into one transaction of etcd; returns their number.
    private func commitSome(_ jobs: ArraySlice<WriteJob>) async -> Int {
        var count = jobs.count
        let deadline = ContinuousClock.now + Self.electionTime
        do {
            for attempt in 0..<Self.attempts {
                let plan = mirror.withLock { CommitPlan(jobs, over: $0, keys: keys, secrets: secrets) }
                count = plan.count
                if plan.size > CommitPlan.sizeLimit, count > 1 { return await commitSome(jobs.prefix(count / 2)) }
                do {
                    switch try await writer.commit(plan) {
                    case .stored(let revision):
                        mirror(plan, revision)
                        for deliver in plan.deliveries { deliver() }
                        return count
                    case .conflict(let revision):
                        await catchUp(to: revision)
                        // Two writers that conflict again and again wait for different times.
                        if attempt > 2 { try await Task.sleep(for: .milliseconds(.random(in: 1...10))) }
                        // The watch may never report what conflicts.
                        if attempt % 10 == 9 { try await reload() }
                    }
                } catch let error as EtcdError where error.isOfElection && .now < deadline {
                    try await Task.sleep(for: .milliseconds(100))
                }
            }
            throw SettingsError(.busy, "other writers change the same settings all the time: try again later")
        } catch {
            let error = SettingsError.wrapping(error)
            for job in jobs.prefix(count) { job.fail(error) }
            return count
        }
    }

    /// Mirrors a commit of this process, without waiting for the watch.
    private func mirror(_ plan: CommitPlan, _ revision: Int) {
        guard revision > 0 else { return }
        let keys = plan.puts.compactMap { put -> EtcdKeyValue? in
            guard case .put(let key, let value, _) = put else { return nil }
            return EtcdKeyValue(key: key, value: value, createRevision: revision, modRevision: revision)
        }
        // The revision of the mirror stays: the watch may still deliver earlier commits of other processes.
        merge(.some(keys, revision: 0))
    }
}

extension SettingsError {
    static func wrapping(_ error: any Error) -> any Error {
        guard let error = error as? EtcdError else { return error }
        func wrap(_ code: Code, _ what: String) -> SettingsError { SettingsError(code, "\(what): \(error.message)") }
        return switch error.code {
        case .unreachable, .down: wrap(.unavailable, "etcd cannot be reached, so nothing was changed")
        case .noLeader, .noQuorum: wrap(.unavailable, "etcd has no majority of its members, so nothing was changed")
        case .outcomeUnknown: wrap(.unavailable, "etcd did not answer, so the change may have been stored or not")
        case .notAllowed: wrap(.readOnly, "etcd does not permit the change")
        case .full: wrap(.full, "etcd is out of space, so nothing was changed")
        // One value may be the reason: with this code a model stores the other values one by one.
        case .tooLarge: wrap(.unsupportedValue, "etcd takes no scope of this size (--max-request-bytes)")
        case .compacted, .leaseNotFound, .refused: wrap(.unavailable, "etcd refused the change")
        }
    }
}
