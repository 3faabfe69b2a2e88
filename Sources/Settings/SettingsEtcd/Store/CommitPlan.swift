import StoredSettings

/// Transactions that one etcd transaction commits: what they read, what they write, and whom to tell afterwards.
struct CommitPlan: Sendable {
    /// The most bytes that several transactions may write together: etcd takes requests of 1.5 MiB.
    static let sizeLimit = 1 << 20

    /// Hand the results of the bodies to their callers, once what the bodies read is known to be current.
    private(set) var deliveries: [@Sendable () -> Void] = []
    private(set) var compares: [EtcdCompare] = []
    private(set) var puts: [EtcdOperation] = []
    private(set) var count = 0

    var size: Int {
        puts.reduce(0) {
            if case .put(let key, let value, _) = $1 { $0 + key.utf8.count + value.count } else { $0 }
        }
    }

    /// Runs jobs over what is mirrored, until the next one would not fit.
    ///
    /// Each job sees the changes of the jobs before it. A job that throws fails alone and leaves no changes.
    init(_ jobs: ArraySlice<WriteJob>, over mirror: MirroredStore, keys: StoreKeys, secrets: SecretBox) {
        let tracking = TrackingReader(DocumentReader(document: mirror.document, secrets: secrets))
        var reader: any SettingsReader = tracking
        // The changed scopes alone.
        var delta = StoreDocument(epoch: mirror.document.epoch)
        delta.key = mirror.document.key
        for job in jobs {
            do {
                var transaction = SettingsTransaction(over: reader)
                let delivery = try job.run(&transaction)
                var next = delta
                try next.apply(transaction.writes, beside: mirror.document, secrets: secrets)
                let limit = EtcdSettingsStore.scopeLimit
                guard next.touched.count <= limit else {
                    if count > 0 { break }
                    let reason = "a transaction changes \(next.touched.count) scopes, and etcd takes \(limit)"
                    throw SettingsError(.unsupportedValue, "\(reason) at a time: change them in several transactions")
                }
                delta = next
                // The next job reads through this one.
                if !transaction.writes.isEmpty { reader = transaction }
                deliveries.append(delivery)
            } catch {
                deliveries.append { job.fail(error) }
            }
            count += 1
        }
        if tracking.hasReadAll {
            compares = [.unchanged(keys.records, after: mirror.revision)]
        } else {
            compares = tracking.scopes.union(delta.touched).sorted().map {
                .modRevision(keys.record($0), is: mirror.revision(of: $0))
            }
        }
        write(delta, mirror, keys)
    }

    private mutating func write(_ delta: StoreDocument, _ mirror: MirroredStore, _ keys: StoreKeys) {
        for (scope, stored) in delta.scopes { puts.append(.put(keys.record(scope), stored.json.jsonBytes())) }
        for (scope, revision) in delta.removed {
            puts.append(.put(keys.record(scope), JSONValue.object(["removed": .int(revision)]).jsonBytes()))
        }
        guard delta.key != mirror.document.key else { return }
        // The first secret: store the name of the sealing key.
        compares.append(.modRevision(keys.meta, is: mirror.metaRevision))
        puts.append(.put(keys.meta, StoreMeta(epoch: delta.epoch, key: delta.key).json))
    }
}

extension StoreDocument {
    fileprivate var touched: Set<String> { Set(scopes.keys).union(removed.keys) }

    /// Applies writes to copies of the scopes of another document, which stays as it is.
    fileprivate mutating func apply(
        _ writes: [String: SettingsWrite],
        beside whole: StoreDocument,
        secrets: SecretBox
    ) throws {
        let writes = Dictionary(writes.map { ($0.key.canonical, $0.value) }) { $1 }
        for scope in writes.keys where scopes[scope] == nil && removed[scope] == nil {
            scopes[scope] = whole.scopes[scope]
        }
        try apply(writes, secrets: secrets)
    }
}
