#if Etcd
    import StoredSettings

    /// What must hold for a transaction to be carried out.
    public struct EtcdCompare: Sendable, Hashable {
        let json: [String: SettingValue]
        /// The keys that it looks at.
        let keys: EtcdKeys

        private init(_ keys: EtcdKeys, _ target: String, _ result: String, _ name: String, _ number: Int) {
            self.keys = keys
            json = keys.json.merging(["target": .string(target), "result": .string(result), name: .text(number)]) { $1 }
        }

        /// The key was last changed by a revision; 0 when it must not be there.
        public static func modRevision(_ key: String, is revision: Int) -> EtcdCompare {
            EtcdCompare(.one(key), "MOD", "EQUAL", "mod_revision", revision)
        }

        /// The key was made by a revision; 0 when it must not be there.
        public static func createRevision(_ key: String, is revision: Int) -> EtcdCompare {
            EtcdCompare(.one(key), "CREATE", "EQUAL", "create_revision", revision)
        }

        /// The key is kept by a lease.
        public static func lease(_ key: String, is lease: Int) -> EtcdCompare {
            EtcdCompare(.one(key), "LEASE", "EQUAL", "lease", lease)
        }

        /// No key that begins with the prefix was put after a revision.
        public static func unchanged(_ prefix: String, after revision: Int) -> EtcdCompare {
            EtcdCompare(.prefix(prefix), "MOD", "LESS", "mod_revision", revision + 1)
        }
    }

    /// One step of a transaction.
    public enum EtcdOperation: Sendable, Hashable {
        /// Stores a value, which goes when its lease ends; 0 without one.
        case put(_ key: String, [UInt8], lease: Int = 0)
        /// Removes keys.
        case delete(EtcdKeys)
        /// Reads keys.
        case read(EtcdKeys)
        /// Reads keys without their values.
        case readKeys(EtcdKeys)
        /// Reads the key that was changed last, without its value.
        case readNewest(EtcdKeys)

        var json: SettingValue {
            switch self {
            case .put(let key, let value, let lease):
                [
                    "request_put": [
                        "key": .bytes(key.utf8), "value": .bytes(value), "lease": .text(lease),
                    ]
                ]
            case .delete(let keys): ["request_delete_range": .object(keys.json)]
            case .read(let keys): ["request_range": .object(keys.json)]
            case .readKeys(let keys): ["request_range": .object(keys.json.merging(["keys_only": true]) { $1 })]
            case .readNewest(let keys):
                [
                    "request_range": .object(
                        keys.json.merging(
                            ["sort_target": "MOD", "sort_order": "DESCEND", "limit": "1", "keys_only": true]
                        ) { $1 }
                    )
                ]
            }
        }
    }

    /// What became of a transaction.
    public struct EtcdOutcome: Sendable {
        /// Whether all that was compared did hold.
        public var succeeded: Bool
        /// The revision of the cluster afterwards; that of the changes, if there were any.
        public var revision: Int
        /// What the reading steps found, in their order.
        public var found: [EtcdKeyValue]

        init(json: [String: SettingValue]) {
            succeeded = json["succeeded"]?.boolValue ?? false
            revision = json.object("header").int("revision")
            found = (json["responses"]?.arrayValue ?? []).flatMap { response in
                (response.objectValue?.object("response_range")["kvs"]?.arrayValue ?? []).map(EtcdKeyValue.init)
            }
        }
    }
#endif
