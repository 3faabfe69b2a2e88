#if Etcd
    /// What must hold for a transaction to be carried out.
    public struct EtcdCompare: Sendable, Hashable {
        /// What is compared, and the field of the number that it is compared with.
        private enum Target: Int {
            case createRevision = 1
            case modRevision = 2
            case lease = 4

            var field: Int { rawValue + 4 }
        }
        private enum Result: Int { case equal = 0, less = 2 }

        let message: ProtobufWriter
        /// The keys that it looks at.
        let keys: EtcdKeys

        private init(_ keys: EtcdKeys, _ target: Target, _ result: Result, _ number: Int) {
            self.keys = keys
            let (key, end) = keys.bounds
            var message = ProtobufWriter()
            message.add(1, result.rawValue)
            message.add(2, target.rawValue)
            message.add(3, key)
            message.add(target.field, number)
            if !end.isEmpty { message.add(64, end) }
            self.message = message
        }

        /// The key was last changed by a revision; 0 when it must not be there.
        public static func modRevision(_ key: String, is revision: Int) -> EtcdCompare {
            EtcdCompare(.one(key), .modRevision, .equal, revision)
        }

        /// The key was made by a revision; 0 when it must not be there.
        public static func createRevision(_ key: String, is revision: Int) -> EtcdCompare {
            EtcdCompare(.one(key), .createRevision, .equal, revision)
        }

        /// The key is kept by a lease.
        public static func lease(_ key: String, is lease: Int) -> EtcdCompare {
            EtcdCompare(.one(key), .lease, .equal, lease)
        }

        /// No key that begins with the prefix was put after a revision.
        public static func unchanged(_ prefix: String, after revision: Int) -> EtcdCompare {
            EtcdCompare(.prefix(prefix), .modRevision, .less, revision + 1)
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

        var message: ProtobufWriter {
            var message = ProtobufWriter()
            switch self {
            case .put(let key, let value, let lease):
                var put = ProtobufWriter()
                put.add(1, key)
                put.add(2, value)
                if lease != 0 { put.add(3, lease) }
                message.add(2, put)
            case .delete(let keys): message.add(3, EtcdRange.fields(of: keys))
            case .read(let keys): message.add(1, EtcdRange(keys).message)
            case .readKeys(let keys):
                var range = EtcdRange(keys)
                range.keysOnly = true
                message.add(1, range.message)
            case .readNewest(let keys):
                var range = EtcdRange(keys)
                (range.keysOnly, range.limit, range.isNewestFirst) = (true, 1, true)
                message.add(1, range.message)
            }
            return message
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

        init(_ message: ProtobufMessage) throws(EtcdError) {
            revision = try message.message(1).int(3)
            succeeded = message.bool(2)
            found = []
            for response in try message.messages(3) {
                for key in try response.message(1).messages(2) { found.append(EtcdKeyValue(key)) }
            }
        }
    }
#endif
