import Synchronization

/// A transaction that waits for its turn in a store.
package struct WriteJob: Sendable {
    /// Runs the body; its result is a closure that answers the caller, once the changes are durable.
    package let run: @Sendable (inout SettingsTransaction) throws -> @Sendable () -> Void
    package let fail: @Sendable (any Error) -> Void

    package init<Result: Sendable>(
        _ body: @escaping @Sendable (inout SettingsTransaction) throws -> Result,
        for waiter: CheckedContinuation<Result, any Error>
    ) {
        run = { transaction in
            let result = try body(&transaction)
            return { waiter.resume(returning: result) }
        }
        fail = { waiter.resume(throwing: $0) }
    }
}

/// The transactions that wait, and whether somebody works on them.
package final class WaitingJobs: Sendable {
    private struct State {
        var jobs: [WriteJob] = []
        var isDraining = false
    }

    /// More in one commit would keep the first waiting for the last.
    private static let groupLimit = 1_000

    private let state = Mutex(State())

    package init() {}

    /// Adds a job; true if the caller has to start the work on the jobs.
    package func add(_ job: WriteJob) -> Bool {
        state.withLock { state in
            state.jobs.append(job)
            defer { state.isDraining = true }
            return !state.isDraining
        }
    }

    /// The jobs for the next commit; nil ends the work.
    package func next() -> [WriteJob]? {
        state.withLock { state in
            state.isDraining = !state.jobs.isEmpty
            let jobs = Array(state.jobs.prefix(Self.groupLimit))
            state.jobs.removeFirst(jobs.count)
            return jobs.isEmpty ? nil : jobs
        }
    }
}
