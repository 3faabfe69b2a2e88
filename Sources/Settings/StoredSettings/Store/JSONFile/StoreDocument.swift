import Platform

/// The contents of a store that is one JSON text; secrets are sealed.
package struct StoreDocument: Equatable, Sendable {
    package struct Scope: Equatable, Sendable {
        package var revision = 0
        /// In milliseconds since 1970.
        package var updatedAt = 0
        package var updatedBy = ""
        package var values: [String: JSONValue] = [:]
        var sealed: [String: [UInt8]] = [:]
    }

    package var epoch: String
    /// The name of the key that sealed the secrets; nil while nothing is sealed.
    package var key: String?
    package var scopes: [String: Scope] = [:]
    /// The last revisions of scopes that were removed.
    package var removed: [String: Int] = [:]
    /// Members of the text that this version does not know.
    package var unknown: [String: JSONValue] = [:]

    /// The scopes whose records are damaged.
    ///
    /// Only a store on etcd has some: there each scope has a record of its own.
    package var unreadable: Set<String> = []

    package init(epoch: String) { self.epoch = epoch }

    /// The spelling of a scope's name for which its secrets are sealed: Unicode may have others.
    fileprivate func spelling(of scope: String) -> String {
        scopes.index(forKey: scope).map { scopes[$0].key } ?? scope
    }

    /// The scopes that differ from another document, also a scope that was made and removed in between.
    package func differences(from other: StoreDocument) -> Set<String> {
        let names = Set(scopes.keys).union(other.scopes.keys).union(removed.keys)
        return names.filter { scopes[$0] != other.scopes[$0] || removed[$0] != other.removed[$0] }
    }

    /// Gives each scope that was edited by hand the next revision, and keeps the last one of a scope that was removed by hand;
    /// returns the scopes that differ.
    mutating func countEdits(since before: StoreDocument) -> Set<String> {
        let changed = differences(from: before)
        for scope in changed.union(before.removed.keys) {
            guard let last = before.scopes[scope]?.revision ?? before.removed[scope] else { continue }
            guard let now = scopes[scope]?.revision else {
                removed[scope] = max(removed[scope] ?? 0, last)
                continue
            }
            // An edit may also have brought an earlier number back.
            if now <= last { scopes[scope]?.revision = last + 1 }
        }
        return changed
    }

    /// Runs a transaction on the document, which stays as it was when the body throws or a secret cannot be sealed.
    package mutating func transact<Result>(
        _ body: (inout SettingsTransaction) throws -> Result,
        secrets: SecretBox,
        outside: [String: JSONValue] = [:]
    ) throws -> (result: Result, writes: [String: SettingsWrite]) {
        let reader = DocumentReader(document: self, secrets: secrets, outside: outside)
        var transaction = SettingsTransaction(over: reader, unowned: outside)
        let result = try body(&transaction)
        var document = self
        try document.apply(transaction.writes, secrets: secrets)
        self = document
        return (result, transaction.writes)
    }

    package mutating func apply(_ writes: [String: SettingsWrite], secrets: SecretBox) throws {
        for (scope, write) in writes {
            switch write {
            case .put(let record, let changed): try put(record, changed, in: spelling(of: scope), secrets)
            case .remove(let revision): (scopes[scope], removed[scope]) = (nil, revision)
            }
        }
    }

    private mutating func put(
        _ record: SettingsRecord,
        _ changed: [String: JSONValue?],
        in scope: String,
        _ secrets: SecretBox
    ) throws {
        var stored = scopes[scope] ?? Scope()
        stored.revision = record.revision
        stored.updatedAt = Int(record.updatedAt.storedMilliseconds)
        stored.updatedBy = record.updatedBy
        for (name, value) in changed {
            // Remove first: a dictionary keeps the spelling of an existing key.
            stored.values[name] = nil
            stored.sealed[name] = nil
            if case .secret(let secret)? = value {
                let new = try secrets.seal(secret, scope: scope, key: name, known: key)
                (stored.sealed[name], key) = (new.bytes, new.keyIdentifier)
            } else if let value {
                stored.values[name] = value
            }
        }
        stored.sealed.merge(record.damaged) { $1 }
        (scopes[scope], removed[scope]) = (stored, nil)
    }
}

/// Reads records from a document, and opens their secrets.
package struct DocumentReader: SettingsReader {
    private let document: StoreDocument
    private let secrets: SecretBox
    /// Values beside the document, for every scope that has none of that name.
    private let outside: [String: JSONValue]

    package init(document: StoreDocument, secrets: SecretBox, outside: [String: JSONValue] = [:]) {
        self.document = document
        self.secrets = secrets
        self.outside = outside
    }

    package var epoch: String { document.epoch }

    package func scopes(prefix: String) -> [String] { document.scopes.keys.filter { $0.hasPrefix(prefix) }.sorted() }

    package func record(_ scope: String) throws -> SettingsRecord? {
        if document.unreadable.contains(scope) {
            let message = "what is stored for \(scope) in \(secrets.path) is damaged: restore or remove it"
            throw SettingsError(.corrupted, message)
        }
        guard let stored = document.scopes[scope] else {
            if outside.isEmpty { return nil }
            let revision = removedRevision(scope)
            return SettingsRecord(values: outside, revision: revision, updatedAt: .distantPast, updatedBy: "")
        }
        let scope = document.spelling(of: scope)
        var values = stored.values.merging(outside) { own, _ in own }
        var damaged: [String: [UInt8]] = [:]
        for (key, sealed) in stored.sealed {
            let secret = try secrets.open(sealed, scope: scope, key: key, known: document.key)
            values[key] = secret.map(JSONValue.secret)
            if secret == nil { damaged[key] = sealed }
        }
        return SettingsRecord(
            values: values,
            damaged: damaged,
            revision: stored.revision,
            updatedAt: Date(storedMilliseconds: Int64(stored.updatedAt)),
            updatedBy: stored.updatedBy
        )
    }

    package func removedRevision(_ scope: String) -> Int { document.removed[scope] ?? 0 }
}

/// The form of the text, which people read and edit.
extension StoreDocument {
    private static let format = 1

    package func json() -> String {
        var members = unknown
        members["format"] = .int(Self.format)
        members["epoch"] = .string(epoch)
        members["key"] = key.map(JSONValue.string)
        members["scopes"] = .object(scopes.mapValues(\.json))
        members["removed"] = removed.isEmpty ? nil : .object(removed.mapValues(JSONValue.int))
        return JSONValue.object(members).indentedJSON() + "\n"
    }

    package init(json: some Collection<UInt8>, path: String) throws(SettingsError) {
        func damaged(_ reason: String) -> SettingsError {
            SettingsError(.corrupted, "the settings in \(path) are damaged: \(reason); restore or remove them")
        }
        var members: [String: JSONValue]
        do { members = try JSONValue(json: json, limits: .stored).objectValue ?? [:] } catch {
            throw damaged(error.description)
        }
        guard let format = members.removeValue(forKey: "format")?.intValue else {
            throw SettingsError(.foreignFile, "\(path) is JSON, but not a store of settings")
        }
        guard format <= Self.format else {
            let reason = "\(path) was written by a later version (format \(format), this one knows \(Self.format))"
            let advice = "use that version, or restore a backup from before the upgrade"
            throw SettingsError(.newerSchema, "\(reason): \(advice)")
        }
        guard let epoch = members.removeValue(forKey: "epoch")?.stringValue, !epoch.isEmpty,
            let scopes = members.removeValue(forKey: "scopes")?.objectValue
        else { throw damaged("it has no ‘epoch’ or ‘scopes’") }
        self.init(epoch: epoch)
        key = members.removeValue(forKey: "key")?.stringValue
        removed = members.removeValue(forKey: "removed")?.objectValue?.compactMapValues(Scope.revision) ?? [:]
        for (name, value) in scopes {
            guard let scope = Scope(json: value) else { throw damaged("‘\(name)’ among its ‘scopes’ is none") }
            self.scopes[name] = scope
        }
        // Without a secret that it has sealed, any other key may take its place.
        if self.scopes.values.allSatisfy(\.sealed.isEmpty) { key = nil }
        unknown = members
    }
}

extension StoreDocument.Scope {
    package var json: JSONValue {
        var members: [String: JSONValue] = [
            "revision": .int(revision), "updated_at": .int(updatedAt), "updated_by": .string(updatedBy),
            "values": .object(values),
        ]
        if !sealed.isEmpty {
            members["secrets"] = .object(sealed.mapValues { .string(Data($0).base64EncodedString()) })
        }
        return .object(members)
    }

    /// The revision that a store has written as JSON; nil for any other value.
    package static func revision(_ json: JSONValue) -> Int? {
        json.intValue.flatMap { SettingsRecord.isRevision($0) ? $0 : nil }
    }

    package init?(json: JSONValue) {
        guard let members = json.objectValue, let revision = members["revision"].flatMap(Self.revision),
            let values = members["values"]?.objectValue
        else { return nil }
        self.revision = revision
        updatedAt = members["updated_at"]?.intValue ?? 0
        updatedBy = members["updated_by"]?.stringValue ?? ""
        self.values = values
        for (key, text) in members["secrets"]?.objectValue ?? [:] {
            // An edited text is kept and does not open.
            let bytes = text.stringValue.flatMap { Data(base64Encoded: $0) }
            sealed[key] = bytes.map(Array.init) ?? text.jsonBytes()
        }
    }
}
