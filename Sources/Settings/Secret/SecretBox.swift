/// Seals and opens secrets for their place in the store, so that one cannot be moved to another.
package struct SecretBox: Sendable {
    /// Seals and opens; nil when no key was given.
    package let sealer: (any SecretSealer)?
    /// The store, for messages.
    package let path: String

    /// Whether secrets are not opened, and read as their mask.
    package let masksSecrets: Bool

    /// Seals and opens with `sealer`; without one, secrets are refused.
    package init(sealer: (any SecretSealer)?, path: String, masksSecrets: Bool = false) {
        self.sealer = sealer
        self.path = path
        self.masksSecrets = masksSecrets
    }

    /// Seals a secret for its place.
    package func seal(_ secret: Secret<String>, scope: String, key: String) throws -> [UInt8] {
        guard let sealer else { throw noKey(scope, key) }
        do {
            return try sealer.seal(Array(secret.reveal().utf8), authenticating: context(scope, key))
        } catch {
            throw SettingsError(.wrongKey, "the secret \(scope) \(key) cannot be sealed")
        }
    }

    /// Opens what was sealed for that place.
    package func open(_ sealed: [UInt8], scope: String, key: String) throws -> Secret<String> {
        if masksSecrets { return Secret(Secret<String>.mask) }
        guard let sealer else { throw noKey(scope, key) }
        let plain: [UInt8]
        do {
            plain = try sealer.open(sealed, authenticating: context(scope, key))
        } catch {
            throw SettingsError(
                .corrupted,
                "the secret \(scope) \(key) in \(path) does not open with the key that the store names: it is damaged"
            )
        }
        guard let text = String(validating: plain, as: UTF8.self) else {
            throw SettingsError(.corrupted, "the secret \(scope) \(key) in \(path) is damaged")
        }
        return Secret(text)
    }

    /// Refuses a key that is not the one of the store; `known` is nil while nothing was sealed.
    package func check(_ known: String?) throws {
        guard !masksSecrets, let sealer, let known, sealer.keyIdentifier != known else { return }
        throw SettingsError(
            .wrongKey,
            """
            the secrets in \(path) were sealed with the key \(known), and the key given is \(sealer.keyIdentifier): \
            give the key that belongs to this store; nothing was changed
            """
        )
    }

    private func context(_ scope: String, _ key: String) -> [UInt8] {
        // The length keeps 'ab' + 'c' apart from 'a' + 'bc'.
        Array("setting/1/\(scope.utf8.count)/\(scope)/\(key)".utf8)
    }

    private func noKey(_ scope: String, _ key: String) -> SettingsError {
        SettingsError(.noKey, "\(scope) \(key) is secret, and the store \(path) was opened without a key")
    }
}
