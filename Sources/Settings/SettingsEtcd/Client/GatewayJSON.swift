import Foundation
import StoredSettings

/// Values as etcd's gateway has them in JSON: bytes in Base64, 64-bit numbers as strings; what is absent has its default.
extension JSONValue {
    static func bytes(_ bytes: some Sequence<UInt8>) -> JSONValue { .string(Data(bytes).base64EncodedString()) }

    subscript(_ name: String) -> JSONValue { objectValue?[name] ?? .null }
    var elements: [JSONValue] { arrayValue ?? [] }
    var isTrue: Bool { boolValue ?? false }
    var number: Int { stringValue.flatMap { Int($0) } ?? intValue ?? 0 }
    var bytes: [UInt8] { stringValue.flatMap { Data(base64Encoded: $0) }.map(Array.init) ?? [] }

    static func keys(_ keys: EtcdKeys) -> [String: JSONValue] {
        let (key, end) = keys.bounds
        return end.isEmpty ? ["key": .bytes(key)] : ["key": .bytes(key), "range_end": .bytes(end)]
    }
}
