import ForeignText
import StoredSettings

/// A key of etcd, as one revision has it.
package struct EtcdKeyValue: Sendable, Hashable {
    /// Empty for a key that would take long to compare: this program writes none.
    package var key: String
    /// Empty where keys alone were asked for.
    package var value: [UInt8]
    /// 0 for a key that was removed.
    package var createRevision: Int
    package var modRevision: Int
    /// The lease that keeps it; 0 without one.
    package var lease = 0

    private static let lengthLimit = 2_048

    /// The value as a name; empty for one that would take long to compare.
    package var text: String { Self.name(value) }

    private static func name(_ bytes: [UInt8]) -> String {
        ForeignText.key(String(decoding: bytes, as: UTF8.self), bytes: lengthLimit) ?? ""
    }
}

extension EtcdKeyValue {
    /// Reads the message of a key (mvccpb.KeyValue).
    init(_ json: JSONValue) {
        key = Self.name(json["key"].bytes)
        value = json["value"].bytes
        createRevision = json["create_revision"].number
        modRevision = json["mod_revision"].number
        lease = json["lease"].number
    }
}

package enum EtcdKeys: Sendable, Hashable {
    case one(String)
    /// All keys that begin with a text, which must not be empty.
    case prefix(String)
    /// All keys from `first` up to and including those that begin with `last`.
    case through(first: String, last: String)

    /// The first key of the range, and the first key after the range; `end` is empty for a single key.
    var bounds: (key: [UInt8], end: [UInt8]) {
        switch self {
        case .one(let key): (Array(key.utf8), [])
        case .prefix(let prefix): (Array(prefix.utf8), Self.end(of: prefix))
        case .through(let first, let last): (Array(first.utf8), Self.end(of: last))
        }
    }

    /// The first key behind all that begin with a prefix; UTF-8 has no byte 255, so the last one can always grow.
    private static func end(of prefix: String) -> [UInt8] {
        var end = Array(prefix.utf8)
        if let last = end.indices.last { end[last] += 1 }
        return end
    }
}
