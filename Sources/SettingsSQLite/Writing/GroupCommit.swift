import GRDB
import Settings

/// Runs transactions that wait at the same time, and makes them durable with one commit.
///
/// Each sees what those before it did, and keeps its own fate: nothing is left of one that throws, and the others are
/// stored. What they did together is written down once.
struct GroupCommit {
    let database: Database
    let secrets: SecretBox
    let epoch: String
    let path: String
    let cache: RecordCache

    struct Outcome {
        /// To be called outside the transaction, in order.
        var deliveries: [@Sendable () -> Void] = []
        /// What this group changed.
        var changes = StoreChanges([])
        /// The number of the commit; nil when nothing was written.
        var change: Int?
    }

    /// Runs the jobs in order; `others` is called inside the transaction, where nobody else can write.
    func run(_ jobs: [WriteJob], others: (Database) throws -> Void) -> Outcome {
        do {
            return try commit(jobs, others: others)
        } catch {
            // It may hold what was not committed.
            cache.removeAll()
            if database.isInsideTransaction { try? database.rollback() }
            let error = SettingsError.wrapping(error, path: path)
            return Outcome(deliveries: jobs.map { job in { job.fail(error) } })
        }
    }

    private func commit(_ jobs: [WriteJob], others: (Database) throws -> Void) throws -> Outcome {
        var outcome = Outcome()
        try database.beginTransaction(.immediate)
        try others(database)
        let reader = RecordReader(database: database, secrets: secrets, epoch: epoch, cache: cache)
        var group = SettingsTransaction(over: reader)
        var sealed = SealedSecrets(secrets, known: try database.sealingKey())
        for job in jobs {
            do {
                let (delivery, writes) = try Self.run(job, over: group)
                // Of each alone: what cannot be sealed must not hold up its neighbours.
                try sealed.add(writes)
                try group.take(writes)
                outcome.deliveries.append(delivery)
            } catch  where database.isInsideTransaction {
                let error = SettingsError.wrapping(error, path: path)
                outcome.deliveries.append { job.fail(error) }
            }
        }
        guard !group.writes.isEmpty else {
            try database.rollback()
            return outcome
        }
        let change = (try Int.fetchOne(try database.cachedStatement(sql: SQL.lastChange)) ?? 0) + 1
        try RecordWriter(database: database, sealed: sealed, path: path, change: change, cache: cache)
            .apply(group.writes)
        try database.commit()
        outcome.changes = StoreChanges(Set(group.writes.keys), records: group.writes.compactMapValues(\.record))
        outcome.change = change
        return outcome
    }

    private static func run(
        _ job: WriteJob,
        over group: SettingsTransaction
    ) throws -> (@Sendable () -> Void, [String: SettingsWrite]) {
        var transaction = SettingsTransaction(over: group)
        let delivery = try job.run(&transaction)
        return (delivery, transaction.writes)
    }
}
