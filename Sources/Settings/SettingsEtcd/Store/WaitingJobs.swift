import StoredSettings
import Synchronization

/// The transactions that wait, and whether a task works on them.
final class WaitingJobs: Sendable {
    private struct State {
        var jobs: [WriteJob] = []
        var isDraining = false
    }

    /// More in one commit would keep the first waiting for the last.
    private static let groupLimit = 1_000

    private let state = Mutex(State())

    /// Adds a job.
    ///
    /// - Returns: Whether the caller has to start the task that works on the jobs.
    func add(_ job: WriteJob) -> Bool {
        state.withLock { state in
            state.jobs.append(job)
            defer { state.isDraining = true }
            return !state.isDraining
        }
    }

    /// The jobs for the next commit; nil ends the task.
    func next() -> [WriteJob]? {
        state.withLock { state in
            state.isDraining = !state.jobs.isEmpty
            let jobs = Array(state.jobs.prefix(Self.groupLimit))
            state.jobs.removeFirst(jobs.count)
            return jobs.isEmpty ? nil : jobs
        }
    }
}
