import ForeignText
import StoredSettings
import Synchronization

// The messages: https://github.com/etcd-io/etcd/blob/v3.4.23/etcdserver/etcdserverpb/rpc.proto

extension EtcdClient {
    /// Sorted keys, as one revision has them.
    package struct Page: Sendable {
        package var keys: [EtcdKeyValue]
        package var revision: Int
    }

    /// How many keys are read at a time: a member reads no more at once for one client.
    private static let pageSize = 200
    /// How many keys one revision may change; a transaction has far fewer steps.
    private static let changeLimit = 100_000

    /// Reads keys as a majority of the members knows them.
    package func read(_ keys: EtcdKeys) async throws -> Page {
        var result = Page(keys: [], revision: 0)
        var range = JSONValue.keys(keys)
        range["limit"] = .int(Self.pageSize)
        var end: [UInt8] = []
        while true {
            let answer = try await call("kv/range", .object(range), isRepeatable: true)
            let page = answer["kvs"].elements
            if result.revision == 0 { result.revision = answer["header"]["revision"].number }
            result.keys += page.map(EtcdKeyValue.init)
            guard answer["more"].isTrue, let last = page.last?["key"].bytes else { return result }
            // The same page again and again would fill the memory.
            guard end.lexicographicallyPrecedes(last) else { throw EtcdError(.refused, "etcd's keys are not sorted") }
            end = last
            range["key"] = .bytes(end + [0])
            range["revision"] = .int(result.revision)
        }
    }

    /// Whether keys of a range were put after a revision.
    ///
    /// The error is ``EtcdError/Code/compacted`` when the cluster has not come to the revision, so was restored from a backup.
    func hasKeys(in keys: EtcdKeys, putAfter revision: Int) async throws -> Bool {
        var range = JSONValue.keys(keys)
        range["keys_only"] = true
        range["min_mod_revision"] = .int(revision + 1)
        let answer = try await call("kv/range", .object(range), isRepeatable: true)
        guard answer["header"]["revision"].number >= revision else {
            throw EtcdError(.compacted, "etcd was restored from a backup")
        }
        return !answer["kvs"].elements.isEmpty
    }

    /// Carries out `success` in one transaction if all `compares` hold, otherwise `failure`.
    ///
    /// etcd takes 128 comparisons and 128 steps, unless it was started with another `--max-txn-ops`. After
    /// ``EtcdError/Code/outcomeUnknown`` the steps may have been carried out; after any other error they were not.
    package func transact(
        _ compares: [EtcdCompare],
        then success: [EtcdOperation],
        else failure: [EtcdOperation] = [],
        timeout: Duration? = nil
    ) async throws -> EtcdOutcome {
        let request: JSONValue = [
            "compare": .array(compares.map(\.json)), "success": .array(success.map(\.json)),
            "failure": .array(failure.map(\.json)),
        ]
        return EtcdOutcome(try await call("kv/txn", request, isRepeatable: false, timeout: timeout))
    }

    /// Makes a lease that lasts for some seconds without a renewal; returns its number.
    package func grantLease(seconds: Int, timeout: Duration? = nil) async throws -> Int {
        try await call("lease/grant", ["TTL": .int(seconds)], isRepeatable: true, timeout: timeout)["ID"].number
    }

    /// Renews a lease for its whole time; throws ``EtcdError/Code/leaseNotFound`` when it has ended.
    package func keepLease(_ lease: Int, timeout: Duration? = nil) async throws {
        let answer = try await callAll("lease/keepalive", ["ID": .int(lease)], timeout: timeout)
        guard answer["result"]["TTL"].number > 0 else { throw EtcdError(.leaseNotFound, "the lease has ended") }
    }

    /// Ends a lease: etcd removes the keys that it keeps.
    package func revokeLease(_ lease: Int, timeout: Duration? = nil) async throws {
        _ = try await call("lease/revoke", ["ID": .int(lease)], isRepeatable: true, timeout: timeout)
    }

    /// Watches keys from a revision on, until the stream fails or the task is cancelled.
    ///
    /// `created` is called when etcd has begun to watch. `receive` gets the keys that changed together; a removed key has no
    /// create revision. The error is ``EtcdError/Code/compacted`` when the revision is no longer known.
    func watch(
        _ keys: EtcdKeys,
        from revision: Int,
        created: @escaping @Sendable () -> Void = {},
        _ receive: @escaping @Sendable (_ changed: [EtcdKeyValue], _ revision: Int) -> Void
    ) async throws {
        var create = JSONValue.keys(keys)
        create["start_revision"] = .int(revision)
        // Ask for a message now and then, even if nothing changes.
        create["progress_notify"] = true
        // The gateway takes no message of more than 4 MiB from its member.
        create["fragment"] = true
        let part = Mutex<[EtcdKeyValue]>([])
        try await stream("watch", ["create_request": .object(create)]) { message in
            let isCanceled = message["canceled"].isTrue
            if message["created"].isTrue, !isCanceled { created() }
            if isCanceled {
                let isCompacted = message["compact_revision"].number > 0
                let reason = ForeignText.line(
                    message["cancel_reason"].stringValue ?? "the watch was cancelled",
                    scalars: 256
                )
                throw EtcdError(isCompacted ? .compacted : .outcomeUnknown, reason)
            }
            let isFragment = message["fragment"].isTrue
            let events = try part.withLock { part in
                part += message["events"].elements.map { EtcdKeyValue($0["kv"]) }
                guard part.count <= Self.changeLimit else { throw EtcdError.malformed }
                guard !isFragment else { return [EtcdKeyValue]() }
                defer { part = [] }
                return part
            }
            // The revision of the header is that of the member, which may be ahead of the events it has sent.
            guard let newest = events.map(\.modRevision).max() else { return }
            receive(events, newest)
        }
    }
}
