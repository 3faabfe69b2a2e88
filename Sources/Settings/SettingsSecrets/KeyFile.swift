public import OpenSSL
import Platform
public import StoredSettings

extension SealingKey {
    /// The key in a file of 64 hexadecimal digits, which is made with a random key where there is none.
    ///
    /// The file is restricted to its owner.
    ///
    /// - Throws: ``StoredSettings/SettingsError`` if the file cannot be read or made, or holds no key.
    public init(file path: String) throws {
        let text = try SettingsError.wrapping {
            if access(path, F_OK) != 0 {
                try makePrivateDirectory(directory(of: path))
                let text = try SealingKey.random().hexadecimal + "\n"
                // The key must be on the disk before anything is sealed with it: this returns when it is.
                try makePrivateFile(path) { try OpenFile($0, O_WRONLY).append(Array(text.utf8)) }
            }
            try restrictToOwner(path)
            return try String(decoding: OpenFile(path, O_RDONLY).bytes(), as: UTF8.self)
        }
        guard let key = SealingKey(hexadecimal: text) else {
            throw SettingsError(.corrupted, "\(path) holds no key of 64 hexadecimal digits: put the right file back")
        }
        self = key
    }
}

extension DefaultSettingsStore {
    /// Lets the default store seal secrets, with a key in a file beside the settings, `settings.key`, made where there is none.
    ///
    /// ```swift
    /// import SettingsSecrets
    ///
    /// try DefaultSettingsStore.sealSecrets()
    /// ```
    /// Call it before the first model is made. Whoever has both files can read the secrets: leave the key out of backups. In a
    /// process that runs tests, the default store stays in memory.
    ///
    /// - Parameter keyFile: Where the key is, if not beside the settings.
    /// - Throws: ``StoredSettings/SettingsError`` if the key or the store cannot be read, or do not belong together; with the
    ///   code ``StoredSettings/SettingsError/Code/noKey`` if the key is missing although secrets are sealed with it.
    public static func sealSecrets(keyFile: String? = nil) throws {
        if !runsTests { store = try openSealed(keyFile: keyFile) }
    }

    package static func openSealed(keyFile: String? = nil) throws -> JSONFileSettingsStore {
        let keyFile = keyFile ?? directory(of: path) + "/settings.key"
        if access(keyFile, F_OK) != 0, let known = try JSONFileSettingsStore(path: path).keyIdentifier {
            let reason = "the secrets in \(path) were sealed with the key \(known), and \(keyFile) is missing"
            let advice = "put that file back or, if it is lost, remove each ‘secrets’ from \(path)"
            throw SettingsError(.noKey, "\(reason): \(advice); no new key was made")
        }
        let key = try SealingKey(file: keyFile)
        return try JSONFileSettingsStore(path: path, sealer: StoreSealer(key: key))
    }
}
