/// Seals and opens secrets for their place in the store, so that one cannot be moved to another.
///
/// It may hold several keys: the first is the one to use, and the others open what was sealed before a change of keys. The
/// store names the key of its secrets; ‘known’ is that name, and nil while nothing was sealed.
package struct SecretBox: Sendable {
    private let sealers: [any SecretSealer]
    /// The store, for messages.
    package let path: String
    /// Whether secrets are not opened, and read as their mask.
    package let masksSecrets: Bool

    /// Seals and opens with `sealer`, and opens with `former` ones too; without one, secrets are refused.
    package init(
        sealer: (any SecretSealer)?,
        former: [any SecretSealer] = [],
        path: String,
        masksSecrets: Bool = false
    ) {
        sealers = (sealer.map { [$0] } ?? []) + former
        self.path = path
        self.masksSecrets = masksSecrets
    }

    /// The same, and one key more to open with: whoever reads while the keys are changed needs both.
    package func adding(_ sealer: any SecretSealer) -> SecretBox {
        SecretBox(sealer: sealers.first ?? sealer, former: sealers.dropFirst() + [sealer], path: path)
    }

    /// The same with another key before all others.
    package func rotated(to sealer: any SecretSealer) -> SecretBox {
        let others = sealers.filter { $0.keyIdentifier != sealer.keyIdentifier }
        return SecretBox(sealer: sealer, former: others, path: path)
    }

    /// The key to use, when what is stored was sealed with another one.
    package func successor(of known: String?) -> (any SecretSealer)? {
        guard !masksSecrets, let known, let first = sealers.first, first.keyIdentifier != known else { return nil }
        return first
    }

    /// Seals a secret for its place; the store has to remember the name of the key.
    package func seal(
        _ secret: Secret<String>,
        scope: String,
        key: String,
        known: String?
    ) throws -> (bytes: [UInt8], keyIdentifier: String) {
        try check(known)
        guard let sealer = sealer(known) else { throw noKey(scope, key) }
        return (
            try seal(Array(secret.reveal().utf8), scope: scope, key: key, with: sealer), sealer.keyIdentifier
        )
    }

    /// Opens what was sealed for that place.
    package func open(_ sealed: [UInt8], scope: String, key: String, known: String?) throws -> Secret<String> {
        if masksSecrets { return Secret(Secret<String>.mask) }
        guard let text = String(validating: try plain(sealed, scope: scope, key: key, known: known), as: UTF8.self)
        else { throw SettingsError(.corrupted, "the secret \(scope) \(key) in \(path) is damaged") }
        return Secret(text)
    }

    /// Opens what was sealed for that place, and seals it with another key.
    package func reseal(
        _ sealed: [UInt8],
        scope: String,
        key: String,
        known: String?,
        with sealer: any SecretSealer
    ) throws -> [UInt8] {
        let plain = try plain(sealed, scope: scope, key: key, known: known)
        return try seal(plain, scope: scope, key: key, with: sealer)
    }

    /// Refuses a store whose secrets none of the keys opens.
    package func check(_ known: String?) throws {
        guard !masksSecrets, let known, let first = sealers.first, sealer(known) == nil else { return }
        throw SettingsError(
            .wrongKey,
            """
            the secrets in \(path) were sealed with the key \(known), and the key given is \(first.keyIdentifier): \
            give the key that belongs to this store; nothing was changed
            """
        )
    }

    private func sealer(_ known: String?) -> (any SecretSealer)? {
        guard let known else { return sealers.first }
        return sealers.first { $0.keyIdentifier == known }
    }

    private func seal(
        _ plain: [UInt8],
        scope: String,
        key: String,
        with sealer: any SecretSealer
    ) throws -> [UInt8] {
        do {
            return try sealer.seal(plain, authenticating: context(scope, key))
        } catch {
            throw SettingsError(.wrongKey, "the secret \(scope) \(key) cannot be sealed")
        }
    }

    private func plain(_ sealed: [UInt8], scope: String, key: String, known: String?) throws -> [UInt8] {
        try check(known)
        guard let sealer = sealer(known) else { throw noKey(scope, key) }
        do {
            return try sealer.open(sealed, authenticating: context(scope, key))
        } catch {
            throw SettingsError(
                .corrupted,
                "the secret \(scope) \(key) in \(path) does not open with the key that the store names: it is damaged"
            )
        }
    }

    private func context(_ scope: String, _ key: String) -> [UInt8] {
        // The length keeps 'ab' + 'c' apart from 'a' + 'bc'.
        Array("setting/1/\(scope.utf8.count)/\(scope)/\(key)".utf8)
    }

    private func noKey(_ scope: String, _ key: String) -> SettingsError {
        SettingsError(.noKey, "\(scope) \(key) is secret, and the store \(path) was opened without a key")
    }
}
