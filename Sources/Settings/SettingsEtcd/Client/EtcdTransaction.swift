import StoredSettings

/// What must hold for a transaction to be carried out.
package struct EtcdCompare: Sendable, Hashable {
    let json: JSONValue
    let keys: EtcdKeys

    private init(_ keys: EtcdKeys, _ target: String, _ field: String, _ number: Int, result: String = "EQUAL") {
        self.keys = keys
        var json = JSONValue.keys(keys)
        json["target"] = .string(target)
        json["result"] = .string(result)
        json[field] = .int(number)
        self.json = .object(json)
    }

    /// The key was last changed by a revision; 0 when it must not be there.
    package static func modRevision(_ key: String, is revision: Int) -> EtcdCompare {
        EtcdCompare(.one(key), "MOD", "mod_revision", revision)
    }

    /// The key was made by a revision; 0 when it must not be there.
    package static func createRevision(_ key: String, is revision: Int) -> EtcdCompare {
        EtcdCompare(.one(key), "CREATE", "create_revision", revision)
    }

    package static func lease(_ key: String, is lease: Int) -> EtcdCompare {
        EtcdCompare(.one(key), "LEASE", "lease", lease)
    }

    /// No key that begins with the prefix was put after a revision.
    package static func unchanged(_ prefix: String, after revision: Int) -> EtcdCompare {
        EtcdCompare(.prefix(prefix), "MOD", "mod_revision", revision + 1, result: "LESS")
    }
}

package enum EtcdOperation: Sendable, Hashable {
    /// Stores a value, which etcd removes when the lease ends; without a lease the number is 0.
    case put(_ key: String, [UInt8], lease: Int = 0)
    case delete(EtcdKeys)
    case read(EtcdKeys)
    case readKeys(EtcdKeys)
    /// Reads the key that was changed last, without its value.
    case readNewest(EtcdKeys)

    var json: JSONValue {
        switch self {
        case .put(let key, let value, let lease):
            ["request_put": ["key": .bytes(key.utf8), "value": .bytes(value), "lease": .int(lease)]]
        case .delete(let keys): ["request_delete_range": .object(JSONValue.keys(keys))]
        case .read(let keys): ["request_range": .object(JSONValue.keys(keys))]
        case .readKeys(let keys): Self.range(keys, ["keys_only": true])
        case .readNewest(let keys):
            Self.range(keys, ["keys_only": true, "limit": 1, "sort_order": "DESCEND", "sort_target": "MOD"])
        }
    }

    private static func range(_ keys: EtcdKeys, _ options: [String: JSONValue]) -> JSONValue {
        ["request_range": .object(JSONValue.keys(keys).merging(options) { $1 })]
    }
}

package struct EtcdOutcome: Sendable {
    package var succeeded: Bool
    /// The revision of the cluster afterwards; that of the changes, if there were any.
    package var revision: Int
    /// What the reading steps found, in their order.
    package var found: [EtcdKeyValue]

    init(_ json: JSONValue) {
        revision = json["header"]["revision"].number
        succeeded = json["succeeded"].isTrue
        found = json["responses"].elements.flatMap { $0["response_range"]["kvs"].elements.map(EtcdKeyValue.init) }
    }
}
