import Settings
import Synchronization

/// The transactions that wait, and whether anybody is at work on them.
final class WaitingJobs: Sendable {
    private struct State {
        var jobs: [WriteJob] = []
        var isDraining = false
        var isClosed = false
    }

    /// What became of a job that was handed in.
    enum Reception: Sendable {
        /// It waits; whoever drains now will meet it.
        case waits
        /// It waits, and the caller has to start draining.
        case waitsForDrain
        /// Nothing is taken any more.
        case refused
    }

    /// More than this in one commit would keep the first waiting for the last.
    private static let groupLimit = 1000

    private let state = Mutex(State())

    /// Nothing waits at first.
    init() {}

    /// Takes a job.
    func add(_ job: WriteJob) -> Reception {
        state.withLock { state in
            guard !state.isClosed else { return .refused }
            state.jobs.append(job)
            defer { state.isDraining = true }
            return state.isDraining ? .waits : .waitsForDrain
        }
    }

    /// The jobs for the next commit; nil ends the drain.
    func next() -> [WriteJob]? {
        state.withLock { state in
            guard !state.jobs.isEmpty else {
                state.isDraining = false
                return nil
            }
            let jobs = Array(state.jobs.prefix(Self.groupLimit))
            state.jobs.removeFirst(jobs.count)
            return jobs
        }
    }

    /// Refuses all that come from now on.
    func close() { state.withLock { $0.isClosed = true } }
}

/// A transaction that waits for its turn.
struct WriteJob: Sendable {
    /// Runs the body; what it gives back hands the result to the one who waits, once it is durable.
    let run: @Sendable (inout SettingsTransaction) throws -> @Sendable () -> Void
    /// Hands an error to the one who waits.
    let fail: @Sendable (any Error) -> Void

    /// Makes a job of a body and of the one who waits for it.
    init<Result: Sendable>(
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
