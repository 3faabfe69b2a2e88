#if Etcd
    import StoredSettings

    extension EtcdClient {
        /// What a read found.
        public struct Page: Sendable {
            /// The keys, sorted.
            public var keys: [EtcdKeyValue]
            /// The revision of the cluster that was read.
            public var revision: Int
        }

        /// How many keys are read at a time: with the largest records less than the 4 MiB that older gateways answer with.
        private static let pageSize = 200

        /// Reads all keys that begin with a prefix, as one revision has them and a majority of the members knows them.
        ///
        /// - Throws: ``EtcdError``.
        public func read(_ keys: EtcdKeys) async throws -> Page {
            var result = Page(keys: [], revision: 0)
            var request = keys.json
            request["limit"] = .text(Self.pageSize)
            while true {
                let answer = try await call("/v3/kv/range", request, isRepeatable: true)
                let page = (answer["kvs"]?.arrayValue ?? []).map(EtcdKeyValue.init)
                if result.revision == 0 { result.revision = answer.object("header").int("revision") }
                result.keys += page
                guard answer["more"]?.boolValue == true, let last = page.last else { return result }
                request["key"] = .bytes(Array(last.key.utf8) + [0])
                request["revision"] = .text(result.revision)
            }
        }

        /// How many keys that begin with a prefix were put after a revision.
        func count(_ prefix: String, putAfter revision: Int) async throws -> Int {
            var request = EtcdKeys.prefix(prefix).json
            request["min_mod_revision"] = .text(revision + 1)
            request["keys_only"] = true
            return (try await call("/v3/kv/range", request, isRepeatable: true)["kvs"]?.arrayValue ?? []).count
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
            let request: [String: SettingValue] = [
                "compare": .array(compares.map { .object($0.json) }),
                "success": .array(success.map(\.json)),
                "failure": .array(failure.map(\.json)),
            ]
            return EtcdOutcome(json: try await call("/v3/kv/txn", request, isRepeatable: false, timeout: timeout))
        }

        /// Makes a lease.
        ///
        /// - Parameters:
        ///   - seconds: How long it lasts without a renewal.
        ///   - timeout: How long each member may take; nil for the configured time.
        /// - Returns: Its number.
        /// - Throws: ``EtcdError``.
        public func grantLease(seconds: Int, timeout: Duration? = nil) async throws -> Int {
            let answer = try await call(
                "/v3/lease/grant",
                ["TTL": .text(seconds)],
                isRepeatable: true,
                timeout: timeout
            )
            return answer.int("ID")
        }

        /// Renews a lease for its whole time.
        ///
        /// - Throws: ``EtcdError`` with ``EtcdError/Code/leaseNotFound`` when it has ended.
        public func keepLease(_ lease: Int, timeout: Duration? = nil) async throws {
            let answer = try await call(
                "/v3/lease/keepalive",
                ["ID": .text(lease)],
                isRepeatable: true,
                timeout: timeout
            )
            guard answer.int("TTL") > 0 else { throw EtcdError(.leaseNotFound, "the lease has ended") }
        }

        /// Ends a lease: etcd removes the keys that it keeps.
        public func revokeLease(_ lease: Int, timeout: Duration? = nil) async throws {
            _ = try await call("/v3/lease/revoke", ["ID": .text(lease)], isRepeatable: true, timeout: timeout)
        }

        /// Watches the keys that begin with a prefix, from a revision on, until the stream fails or the task is cancelled.
        ///
        /// - Parameters:
        ///   - prefix: What the keys begin with.
        ///   - revision: The first revision that is wanted.
        ///   - created: Called when etcd has begun to watch.
        ///   - take: Gets the keys that changed together; a key without a revision of its making was removed.
        /// - Throws: ``EtcdError``, with ``EtcdError/Code/compacted`` when the revision is no longer known.
        func watch(
            _ prefix: String,
            from revision: Int,
            created: @escaping @Sendable () -> Void = {},
            _ take: @escaping @Sendable (_ changed: [EtcdKeyValue], _ revision: Int) -> Void
        ) async throws {
            var create = EtcdKeys.prefix(prefix).json
            create["start_revision"] = .text(revision)
            create["progress_notify"] = true
            try await stream("/v3/watch", ["create_request": .object(create)]) { message in
                if message["created"]?.boolValue == true, message["canceled"]?.boolValue != true { created() }
                if message["canceled"]?.boolValue == true {
                    let compacted = message.int("compact_revision") > 0
                    let reason = message["cancel_reason"]?.stringValue ?? "the watch was cancelled"
                    throw EtcdError(compacted ? .compacted : .outcomeUnknown, reason)
                }
                let events = (message["events"]?.arrayValue ?? []).map { event in
                    EtcdKeyValue(json: event.objectValue?["kv"] ?? .null)
                }
                // The revision of the header is that of the member, which may be ahead of the events it has sent.
                guard let newest = events.map(\.modRevision).max() else { return }
                take(events, newest)
            }
        }
    }
#endif
