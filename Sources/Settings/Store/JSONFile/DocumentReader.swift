#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Reads records from a document, and opens their secrets.
package struct DocumentReader: SettingsReader {
    let document: StoreDocument
    let secrets: SecretBox
    /// Values outside the document, which every scope has that has none of that name.
    let outside: [String: SettingValue]

    /// Reads a document whose secrets the box opens.
    package init(document: StoreDocument, secrets: SecretBox, outside: [String: SettingValue] = [:]) {
        self.document = document
        self.secrets = secrets
        self.outside = outside
    }

    /// Identifies the store.
    package var epoch: String { document.epoch }

    /// The names of all scopes that begin with `prefix`, sorted.
    package func scopes(prefix: String) -> [String] { document.scopes.keys.filter { $0.hasPrefix(prefix) }.sorted() }

    /// What is stored for a scope; nil if there is nothing.
    package func record(_ scope: String) throws -> SettingsRecord? {
        guard let stored = document.scopes[scope] else {
            if outside.isEmpty { return nil }
            let revision = removedRevision(scope)
            return SettingsRecord(values: outside, revision: revision, updatedAt: .distantPast, updatedBy: "")
        }
        let scope = document.spelling(of: scope)
        var values = stored.values.merging(outside) { own, _ in own }
        for (key, sealed) in stored.sealed {
            values[key] = .secret(try secrets.open(sealed, scope: scope, key: key, known: document.key))
        }
        return SettingsRecord(
            values: values,
            revision: stored.revision,
            updatedAt: Date(storedMilliseconds: Int64(stored.updatedAt)),
            updatedBy: stored.updatedBy,
            applied: stored.applied
        )
    }

    /// What is stored for some scopes.
    package func records(_ scopes: some Sequence<String>) throws -> [String: SettingsRecord] {
        var records: [String: SettingsRecord] = [:]
        for scope in scopes { records[scope] = try record(scope) }
        return records
    }

    /// The last revision of a scope that was removed; 0 if it never was.
    package func removedRevision(_ scope: String) -> Int { document.removed[scope] ?? 0 }
}
