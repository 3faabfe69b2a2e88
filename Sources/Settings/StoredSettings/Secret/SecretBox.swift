/// Seals and opens secrets for their place in the store, so that one cannot be moved to another.
///
/// `known` is the name of the key that the store has noted; nil while nothing was sealed.
package struct SecretBox: Sendable {
    private let sealer: (any SecretSealer)?
    package let path: String

    package init(sealer: (any SecretSealer)?, path: String) { (self.sealer, self.path) = (sealer, path) }

    /// Seals a secret for its place; the store has to remember the name of the key.
    package func seal(
        _ secret: Secret<String>,
        scope: String,
        key: String,
        known: String?
    ) throws -> (bytes: [UInt8], keyIdentifier: String) {
        let sealer = try sealer(scope, key, known)
        do {
            let bytes = try sealer.seal(Array(secret.reveal().utf8), authenticating: context(scope, key))
            return (bytes, sealer.keyIdentifier)
        } catch {
            throw SettingsError(.wrongKey, "the secret \(scope) \(key) cannot be sealed")
        }
    }

    /// Opens what was sealed for that place; nil if it is damaged.
    package func open(_ sealed: [UInt8], scope: String, key: String, known: String?) throws -> Secret<String>? {
        let sealer = try sealer(scope, key, known)
        let plain = try? sealer.open(sealed, authenticating: context(scope, key))
        return plain.flatMap { String(validating: $0, as: UTF8.self) }.map { Secret($0) }
    }

    /// Refuses a store whose secrets were sealed with another key.
    package func check(_ known: String?) throws {
        guard let known, let sealer, sealer.keyIdentifier != known else { return }
        let reason = "the secrets in \(path) were sealed with the key \(known), not with \(sealer.keyIdentifier)"
        throw SettingsError(.wrongKey, "\(reason): give the key that belongs to this store; nothing was changed")
    }

    private func sealer(_ scope: String, _ key: String, _ known: String?) throws -> any SecretSealer {
        try check(known)
        if let sealer { return sealer }
        let reason = "\(scope) \(key) is secret, and the store \(path) was opened without a key"
        throw SettingsError(.noKey, "\(reason): open it with a sealer")
    }

    private func context(_ scope: String, _ key: String) -> [UInt8] {
        // The length keeps 'ab' + 'c' apart from 'a' + 'bc'.
        Array("setting/1/\(scope.utf8.count)/\(scope)/\(key)".utf8)
    }
}
