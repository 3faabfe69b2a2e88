import Dispatch

/// Runs the transactions that wait on a queue of its own, and makes them durable with one write of the file.
final class DocumentWriter: Sendable {
    private let cache: DocumentCache
    private let secrets: SecretBox
    private let lockTimeout: Duration
    private let queue = DispatchQueue(label: "settings.file")
    private let waiting = WaitingJobs()
    private let onPutAside: @Sendable (String) -> Void

    init(
        _ cache: DocumentCache,
        secrets: SecretBox,
        lockTimeout: Duration,
        onPutAside: @escaping @Sendable (String) -> Void
    ) {
        self.cache = cache
        self.secrets = secrets
        self.lockTimeout = lockTimeout
        self.onPutAside = onPutAside
    }

    func add(_ job: WriteJob) {
        switch waiting.add(job) {
        case .waits: break
        case .waitsForDrain: queue.async { [self] in while let jobs = waiting.next() { run(jobs) } }
        case .refused: job.fail(SettingsError(.closed, "the store \(cache.files.main) was closed"))
        }
    }

    /// Refuses new transactions, and waits for those that are in.
    func close() {
        waiting.close()
        queue.sync {}
    }

    /// Changes the document, alone against every other writer; does nothing when `change` leaves it as it was.
    ///
    /// Where there is no store, `change` gets a new document.
    func write<Result>(_ change: (inout StoreDocument) throws -> Result) throws -> Result {
        let files = cache.files
        let lock = try FileLock(files.lock, timeout: lockTimeout)
        let before = try cache.current()
        var document = before ?? StoreDocument(epoch: .randomEpoch())
        if let last = lock.lastCommit, last > document.change {
            // A backup was copied over the file: its revisions were given out before.
            document.epoch = .randomEpoch()
            document.change = last
        }
        let result = try change(&document)
        let isFaulty = cache.isFaulty
        if document != before || isFaulty {
            if isFaulty, let name = try files.putAside() { onPutAside(name) }
            document.change += 1
            cache.set(document, try files.write(document))
            lock.note(document.change)
        }
        withExtendedLifetime(lock) {}
        return result
    }

    private func run(_ jobs: [WriteJob]) {
        do {
            let group = try write { DocumentGroup(jobs, on: &$0, secrets: secrets) }
            cache.broadcaster.send(Set(group.changes.keys))
            group.deliver()
        } catch {
            for job in jobs { job.fail(error) }
        }
    }
}
