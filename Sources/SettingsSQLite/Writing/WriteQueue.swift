import GRDB
import Settings
import Synchronization

/// The transactions that wait, and the one drain that runs them on the writer's own queue.
final class WriteQueue: Sendable {
    private struct State {
        var jobs: [WriteJob] = []
        var isDraining = false
        var isClosed = false
        var statistics = SQLiteStoreStatistics()
    }

    /// More than this in one commit would keep the first waiting for the last.
    private static let groupLimit = 1000

    private let connection: GuardedConnection
    private let watch: ChangeWatch
    private let secrets: SecretBox
    private let epoch: String
    private let state = Mutex(State())

    init(_ connection: GuardedConnection, watch: ChangeWatch, secrets: SecretBox, epoch: String) {
        self.connection = connection
        self.watch = watch
        self.secrets = secrets
        self.epoch = epoch
    }

    var statistics: SQLiteStoreStatistics { state.withLock(\.statistics) }

    func add(_ job: WriteJob) {
        let (isClosed, starts) = state.withLock { state in
            if state.isClosed { return (true, false) }
            state.jobs.append(job)
            defer { state.isDraining = true }
            return (false, !state.isDraining)
        }
        if isClosed { job.fail(connection.closedError) }
        if starts { connection.enqueue { [self] in drain($0) } }
    }

    /// Refuses new transactions, and closes the connection behind those that wait.
    func close() throws {
        state.withLock { $0.isClosed = true }
        try connection.close()
    }

    private func drain(_ database: Database?) {
        guard let database else {
            while let jobs = next() {
                for job in jobs { job.fail(connection.closedError) }
            }
            return
        }
        let group = GroupCommit(database: database, secrets: secrets, epoch: epoch, path: secrets.path)
        while let jobs = next() {
            var others: Set<String> = []
            let outcome = group.run(jobs) { others.formUnion(try watch.others($0)) }
            if let change = outcome.change { watch.note(change) }
            state.withLock { state in
                state.statistics.transactions += jobs.count
                state.statistics.commits += outcome.change == nil ? 0 : 1
            }
            watch.broadcaster.send(outcome.scopes.union(others))
            for deliver in outcome.deliveries { deliver() }
        }
    }

    private func next() -> [WriteJob]? {
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
}
