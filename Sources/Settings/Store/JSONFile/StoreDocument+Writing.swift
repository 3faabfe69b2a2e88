#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

extension StoreDocument {
    /// Writes down what a transaction did, or changes nothing: secrets are sealed, or refused.
    package mutating func apply(_ writes: [String: SettingsWrite], secrets: SecretBox) throws {
        // First, and in place afterwards: a copy would cost as much as all that is stored.
        let sealed = try seal(writes, secrets)
        for (name, write) in writes {
            let scope = spelling(of: name)
            switch write {
            case .remove(let revision):
                scopes[scope] = nil
                removed[scope] = revision
            case .put(let record, let changed):
                scopes[scope, default: Scope()].put(record, changed, sealed: sealed[scope] ?? [:])
                removed[scope] = nil
            }
        }
    }

    /// Seals all secrets, by scope and key, and remembers with the first which key it was; seals nothing with another.
    private mutating func seal(
        _ writes: [String: SettingsWrite],
        _ secrets: SecretBox
    ) throws -> [String: [String: [UInt8]]] {
        var sealed: [String: [String: [UInt8]]] = [:]
        var known = key
        for (name, write) in writes {
            guard case .put(_, let changed) = write else { continue }
            let scope = spelling(of: name)
            for case (let key, .secret(let secret)?) in changed {
                let new = try secrets.seal(secret, scope: scope, key: key, known: known)
                sealed[scope, default: [:]][key] = new.bytes
                known = new.keyIdentifier
            }
        }
        key = known
        return sealed
    }
}

extension StoreDocument.Scope {
    fileprivate mutating func put(
        _ record: SettingsRecord,
        _ changed: [String: SettingValue?],
        sealed: [String: [UInt8]]
    ) {
        revision = record.revision
        updatedAt = Int(record.updatedAt.storedMilliseconds)
        updatedBy = record.updatedBy
        applied = record.applied
        for (key, value) in changed {
            // Removed first: a dictionary would keep the spelling of a name that it has.
            values[key] = nil
            self.sealed[key] = nil
            if let bytes = sealed[key] { self.sealed[key] = bytes } else if let value { values[key] = value }
        }
    }
}
