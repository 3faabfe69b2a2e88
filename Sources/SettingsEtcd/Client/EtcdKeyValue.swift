#if Etcd
    import Foundation
    import StoredSettings

    /// A key of etcd, as one revision has it.
    public struct EtcdKeyValue: Sendable, Hashable {
        /// The key.
        public var key: String
        /// What is stored; empty where keys alone were asked for.
        public var value: [UInt8]
        /// The revision that made the key.
        public var createRevision: Int
        /// The revision that last changed it.
        public var modRevision: Int
        /// The lease that keeps it; 0 without one.
        public var lease: Int

        /// What is stored, as text.
        public var text: String { String(decoding: value, as: UTF8.self) }

        /// Makes one of what was stored by a revision.
        init(key: String, value: [UInt8], modRevision: Int) {
            self.key = key
            self.value = value
            createRevision = modRevision
            self.modRevision = modRevision
            lease = 0
        }

        /// Reads one in the gateway's JSON, where whole numbers are texts and absent ones are 0.
        init(json: SettingValue) {
            let members = json.objectValue ?? [:]
            key = String(decoding: members.bytes("key"), as: UTF8.self)
            value = members.bytes("value")
            createRevision = members.int("create_revision")
            modRevision = members.int("mod_revision")
            lease = members.int("lease")
        }
    }

    extension [String: SettingValue] {
        /// A whole number of 64 bits, which the gateway writes as a text, or leaves out when it is 0.
        func int(_ name: String) -> Int {
            switch self[name] {
            case .string(let text)?: Int(text) ?? 0
            case let value: value?.intValue ?? 0
            }
        }

        /// Bytes, which the gateway writes in base64, or leaves out when there are none.
        func bytes(_ name: String) -> [UInt8] {
            Array(self[name]?.stringValue.flatMap { Data(base64Encoded: $0) } ?? Data())
        }

        /// An object inside this one; empty when it is left out.
        func object(_ name: String) -> [String: SettingValue] { self[name]?.objectValue ?? [:] }
    }

    extension SettingValue {
        /// Bytes as the gateway takes them.
        static func bytes(_ bytes: some Sequence<UInt8>) -> SettingValue {
            .string(Data(bytes).base64EncodedString())
        }

        /// A whole number of 64 bits as the gateway takes it.
        static func text(_ number: Int) -> SettingValue { .string(String(number)) }
    }

    /// The keys that a request means.
    public enum EtcdKeys: Sendable, Hashable {
        /// One key.
        case one(String)
        /// All keys that begin with a text, which must not be empty.
        case prefix(String)

        /// The members of a request that say so.
        var json: [String: SettingValue] {
            switch self {
            case .one(let key): ["key": .bytes(key.utf8)]
            case .prefix(let prefix): ["key": .bytes(prefix.utf8), "range_end": .bytes(Self.end(of: prefix))]
            }
        }

        /// The first key behind all that begin with a prefix; UTF-8 has no byte 255, so the last one can always grow.
        static func end(of prefix: String) -> [UInt8] {
            var end = Array(prefix.utf8)
            if let last = end.indices.last { end[last] += 1 }
            return end
        }
    }
#endif
