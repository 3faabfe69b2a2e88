#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

extension StoreDocument {
    /// Writes down what a transaction did; secrets are sealed, or refused.
    package mutating func apply(_ writes: [String: SettingsWrite], secrets: SecretBox) throws {
        for (name, write) in writes {
            let scope = spelling(of: name)
            switch write {
            case .remove(let revision):
                scopes[scope] = nil
                removed[scope] = revision
            case .put(let record, let changed):
                var stored = scopes[scope] ?? Scope()
                stored.revision = record.revision
                stored.updatedAt = Int(record.updatedAt.storedMilliseconds)
                stored.updatedBy = record.updatedBy
                stored.applied = record.applied
                for (key, value) in changed {
                    stored.values[key] = nil
                    stored.sealed[key] = nil
                    switch value {
                    case nil: break
                    case .secret(let secret): stored.sealed[key] = try seal(secret, scope, key, secrets)
                    case let value?: stored.values[key] = value
                    }
                }
                scopes[scope] = stored
                removed[scope] = nil
            }
        }
    }

    /// Seals all secrets with another key, or changes nothing.
    package mutating func rotate(to sealer: any SecretSealer, secrets: SecretBox) throws {
        guard let key, key != sealer.keyIdentifier else { return }
        var document = self
        for (scope, stored) in scopes {
            for (name, sealed) in stored.sealed {
                document.scopes[scope]?.sealed[name] =
                    try secrets.reseal(sealed, scope: scope, key: name, known: key, with: sealer)
            }
        }
        document.key = sealer.keyIdentifier
        self = document
    }

    /// Seals one, and remembers with the first which key it was; seals nothing with another.
    private mutating func seal(
        _ secret: Secret<String>,
        _ scope: String,
        _ key: String,
        _ secrets: SecretBox
    ) throws -> [UInt8] {
        let sealed = try secrets.seal(secret, scope: scope, key: key, known: self.key)
        self.key = sealed.keyIdentifier
        return sealed.bytes
    }
}
