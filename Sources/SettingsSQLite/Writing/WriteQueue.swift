import CFileBirth
import GRDB
import Settings
import Synchronization

/// The transactions that wait, and the one drain that runs them on the writer's own queue.
final class WriteQueue: Sendable {
    private let connection: GuardedConnection
    private let watch: ChangeWatch
    private let secrets: SecretBox
    private let epoch: String
    private let waiting = WaitingJobs()
    private let counted = Mutex(SQLiteStoreStatistics())

    init(_ connection: GuardedConnection, watch: ChangeWatch, secrets: SecretBox, epoch: String) {
        self.connection = connection
        self.watch = watch
        self.secrets = secrets
        self.epoch = epoch
    }

    var statistics: SQLiteStoreStatistics { counted.withLock { $0 } }

    func add(_ job: WriteJob) {
        switch waiting.add(job) {
        case .waits: break
        case .waitsForDrain: connection.enqueue { [self] in drain($0) }
        case .refused: job.fail(connection.closedError)
        }
    }

    /// Refuses new transactions, and closes the connection behind those that wait.
    func close() throws {
        waiting.close()
        try connection.close()
    }

    private func drain(_ database: Database?) {
        guard let database else {
            while let jobs = waiting.next() {
                for job in jobs { job.fail(connection.closedError) }
            }
            return
        }
        while let jobs = waiting.next() {
            let group = GroupCommit(
                database: database,
                secrets: secrets,
                epoch: epoch,
                path: secrets.path,
                cache: watch.cache
            )
            var others: Set<String> = []
            let outcome = group.run(jobs) { others.formUnion(try watch.others($0)) }
            if let change = outcome.change {
                watch.note(change)
                set_file_mark(secrets.path, Int64(change))
            }
            counted.withLock { statistics in
                statistics.transactions += jobs.count
                statistics.commits += outcome.change == nil ? 0 : 1
            }
            watch.broadcaster.send(others.subtracting(outcome.changes.scopes))
            watch.broadcaster.send(outcome.changes)
            for deliver in outcome.deliveries { deliver() }
        }
    }
}
