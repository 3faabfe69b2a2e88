#if Etcd
    // The numbers of the fields: https://github.com/etcd-io/etcd/blob/v3.4.23/etcdserver/etcdserverpb/rpc.proto

    extension EtcdClient {
        /// What a read found.
        public struct Page: Sendable {
            /// The keys, sorted.
            public var keys: [EtcdKeyValue]
            /// The revision of the cluster that was read.
            public var revision: Int
        }

        /// How many keys are read at a time: a member reads no more at once for one client.
        private static let pageSize = 200

        /// Reads keys, as one revision has them and a majority of the members knows them.
        ///
        /// - Throws: ``EtcdError``.
        public func read(_ keys: EtcdKeys) async throws -> Page {
            var result = Page(keys: [], revision: 0)
            var range = EtcdRange(keys)
            range.limit = Self.pageSize
            while true {
                let answer = try await call("KV/Range", range.message, isRepeatable: true)
                let page = try answer.messages(2).map(EtcdKeyValue.init)
                if result.revision == 0 { result.revision = try answer.message(1).int(3) }
                result.keys += page
                guard answer.bool(3), let last = page.last else { return result }
                range.key = Array(last.key.utf8) + [0]
                range.revision = result.revision
            }
        }

        /// How many keys of a range were put after a revision.
        func count(_ keys: EtcdKeys, putAfter revision: Int) async throws -> Int {
            var range = EtcdRange(keys)
            range.keysOnly = true
            range.minModRevision = revision + 1
            return try await call("KV/Range", range.message, isRepeatable: true).messages(2).count
        }

        /// Carries out steps together, or other steps when something that is compared does not hold.
        ///
        /// etcd takes 128 comparisons and 128 steps, unless it was started with another `--max-txn-ops`.
        ///
        /// - Parameters:
        ///   - compares: What must hold.
        ///   - success: The steps when all of it holds.
        ///   - failure: The steps when it does not.
        ///   - timeout: How long each member may take; nil for the configured time.
        /// - Returns: Which steps were carried out, and what they found.
        /// - Throws: ``EtcdError``; only with ``EtcdError/Code/outcomeUnknown`` may the steps have been carried out.
        public func transact(
            _ compares: [EtcdCompare],
            then success: [EtcdOperation],
            else failure: [EtcdOperation] = [],
            timeout: Duration? = nil
        ) async throws -> EtcdOutcome {
            var request = ProtobufWriter()
            for compare in compares { request.add(1, compare.message) }
            for operation in success { request.add(2, operation.message) }
            for operation in failure { request.add(3, operation.message) }
            return try EtcdOutcome(await call("KV/Txn", request, isRepeatable: false, timeout: timeout))
        }

        /// Makes a lease.
        ///
        /// - Parameters:
        ///   - seconds: How long it lasts without a renewal.
        ///   - timeout: How long each member may take; nil for the configured time.
        /// - Returns: Its number.
        /// - Throws: ``EtcdError``.
        public func grantLease(seconds: Int, timeout: Duration? = nil) async throws -> Int {
            var request = ProtobufWriter()
            request.add(1, seconds)
            return try await call("Lease/LeaseGrant", request, isRepeatable: true, timeout: timeout).int(2)
        }

        /// Renews a lease for its whole time.
        ///
        /// - Throws: ``EtcdError`` with ``EtcdError/Code/leaseNotFound`` when it has ended.
        public func keepLease(_ lease: Int, timeout: Duration? = nil) async throws {
            var request = ProtobufWriter()
            request.add(1, lease)
            let answer = try await call("Lease/LeaseKeepAlive", request, isRepeatable: true, timeout: timeout)
            guard answer.int(3) > 0 else { throw EtcdError(.leaseNotFound, "the lease has ended") }
        }

        /// Ends a lease: etcd removes the keys that it keeps.
        public func revokeLease(_ lease: Int, timeout: Duration? = nil) async throws {
            var request = ProtobufWriter()
            request.add(1, lease)
            _ = try await call("Lease/LeaseRevoke", request, isRepeatable: true, timeout: timeout)
        }

        /// Watches keys from a revision on, until the stream fails or the task is cancelled.
        ///
        /// - Parameters:
        ///   - keys: The keys.
        ///   - revision: The first revision that is wanted.
        ///   - created: Called when etcd has begun to watch.
        ///   - take: Gets the keys that changed together; a key without a revision of its making was removed.
        /// - Throws: ``EtcdError``, with ``EtcdError/Code/compacted`` when the revision is no longer known.
        func watch(
            _ keys: EtcdKeys,
            from revision: Int,
            created: @escaping @Sendable () -> Void = {},
            _ take: @escaping @Sendable (_ changed: [EtcdKeyValue], _ revision: Int) -> Void
        ) async throws {
            var create = EtcdRange.fields(of: keys)
            create.add(3, revision)
            // Now and then a message although nothing changes.
            create.add(4, true)
            var request = ProtobufWriter()
            request.add(1, create)
            try await stream("Watch/Watch", request) { message in
                let isCanceled = message.bool(4)
                if message.bool(3), !isCanceled { created() }
                if isCanceled {
                    let isCompacted = message.int(5) > 0
                    let reason = message.text(6)
                    throw EtcdError(
                        isCompacted ? .compacted : .outcomeUnknown,
                        reason.isEmpty ? "the watch was cancelled" : reason
                    )
                }
                let events = try message.messages(11).map { try EtcdKeyValue($0.message(2)) }
                // The revision of the header is that of the member, which may be ahead of the events it has sent.
                guard let newest = events.map(\.modRevision).max() else { return }
                take(events, newest)
            }
        }
    }

    /// A request for keys.
    struct EtcdRange: Sendable {
        /// The keys, as the first two fields of several requests have them.
        static func fields(of keys: EtcdKeys) -> ProtobufWriter { EtcdRange(keys).keys }

        var key: [UInt8]
        private let end: [UInt8]
        var limit = 0
        var revision = 0
        var keysOnly = false
        var minModRevision = 0
        /// Whether the key that was changed last comes first.
        var isNewestFirst = false

        init(_ keys: EtcdKeys) { (key, end) = keys.bounds }

        private var keys: ProtobufWriter {
            var message = ProtobufWriter()
            message.add(1, key)
            if !end.isEmpty { message.add(2, end) }
            return message
        }

        var message: ProtobufWriter {
            var message = keys
            if limit > 0 { message.add(3, limit) }
            if revision > 0 { message.add(4, revision) }
            if isNewestFirst {
                message.add(5, 2)
                message.add(6, 3)
            }
            if keysOnly { message.add(8, true) }
            if minModRevision > 0 { message.add(10, minModRevision) }
            return message
        }
    }
#endif
