import Foundation

/// The keys that a store uses below its prefix.
///
/// `<prefix>meta` has the identity of the store. `<prefix>records/<scope>` is a record, also that of a removed scope, whose
/// revision must never go back. `<prefix>writers/<writer>` says which commit of a writer was its last.
struct StoreKeys: Sendable, Hashable {
    let prefix: String

    /// The keys that are watched: not those of the writers, which each commit changes.
    var watched: EtcdKeys { .through(first: meta, last: records) }
    var meta: String { prefix + "meta" }
    var records: String { prefix + "records/" }
    func record(_ scope: String) -> String { records + scope }
    func writer(_ name: String) -> String { prefix + "writers/" + name }

    func scope(of key: String) -> String? {
        key.hasPrefix(records) ? String(key.dropFirst(records.count)) : nil
    }
}

extension String {
    /// The one form of Unicode in which scopes are kept (NFC): etcd compares bytes, and Swift takes `é` and `e` with an
    /// accent for the same.
    var canonical: String { utf8.allSatisfy { $0 < 0x80 } ? self : precomposedStringWithCanonicalMapping }
}
