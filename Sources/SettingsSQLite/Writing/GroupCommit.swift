import GRDB
import Settings

/// Runs transactions that wait at the same time, and makes them durable with one commit.
///
/// Each keeps its own fate: what one that throws did is taken back, and the others are stored.
struct GroupCommit {
    let database: Database
    let secrets: SecretBox
    let epoch: String
    let path: String

    struct Outcome {
        /// To be called outside the transaction, in order.
        var deliveries: [@Sendable () -> Void] = []
        /// What this group changed.
        var scopes: Set<String> = []
        /// The number of the commit; nil when nothing was written.
        var change: Int?
    }

    /// Runs the jobs in order; `others` is called inside the transaction, where nobody else can write.
    func run(_ jobs: [WriteJob], others: (Database) throws -> Void) -> Outcome {
        do {
            return try commit(jobs, others: others)
        } catch {
            if database.isInsideTransaction { try? database.rollback() }
            let error = SettingsError.wrapping(error, path: path)
            return Outcome(deliveries: jobs.map { job in { job.fail(error) } })
        }
    }

    private func commit(_ jobs: [WriteJob], others: (Database) throws -> Void) throws -> Outcome {
        var outcome = Outcome()
        try database.beginTransaction(.immediate)
        try others(database)
        let change = (try Int.fetchOne(try database.cachedStatement(sql: SQL.lastChange)) ?? 0) + 1
        let writer = RecordWriter(database: database, secrets: secrets, change: change)
        for job in jobs {
            do {
                let (delivery, scopes) = try run(job, writer)
                outcome.deliveries.append(delivery)
                outcome.scopes.formUnion(scopes)
            } catch  where database.isInsideTransaction {
                let error = SettingsError.wrapping(error, path: path)
                outcome.deliveries.append { job.fail(error) }
            }
        }
        if outcome.scopes.isEmpty {
            try database.rollback()
        } else {
            try database.commit()
            outcome.change = change
        }
        return outcome
    }

    private func run(_ job: WriteJob, _ writer: RecordWriter) throws -> (@Sendable () -> Void, Set<String>) {
        let reader = RecordReader(database: database, secrets: secrets, epoch: epoch)
        var transaction = SettingsTransaction(over: reader)
        let delivery = try job.run(&transaction)
        let writes = transaction.writes
        guard !writes.isEmpty else { return (delivery, []) }
        try database.inSavepoint {
            try writer.apply(writes)
            return .commit
        }
        return (delivery, Set(writes.keys))
    }
}
