import Dispatch

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// Secrets as files for their owner only (0600), in a directory for its owner only (0700).
///
/// Each file is the text of one secret and nothing else. It is replaced as a whole and is on the disk when
/// ``setSecret(_:for:)`` returns. Characters of a name that file systems do not take are written as `%2F`; a name that is
/// spelt otherwise in Unicode, as `é` can be, has the same file.
///
/// What protects them is the file system alone: whoever reads the disk reads them. ``SettingsSecretStore`` over a store
/// with a sealer encrypts.
public final class FileSecretStore: SecretStore {
    /// The most bytes that a secret may have.
    public static let sizeLimit = 1 << 20

    /// The directory.
    public let directory: String

    private let queue = DispatchQueue(label: "settings.secrets")

    /// Uses a directory, which is made with the first secret where it is missing.
    ///
    /// - Parameter directory: Where the files are; for nothing else.
    public init(directory: String) { self.directory = directory }

    /// The secret of that name; nil if there is none.
    ///
    /// - Throws: ``SettingsError`` also when others may enter the directory.
    public func secret(_ name: String) throws -> Secret<String>? {
        let file = try file(name)
        guard FileSystem.exists(directory) else { return nil }
        try requirePrivate()
        let path = try path(file)
        guard FileSystem.exists(path) else { return nil }
        try FileSystem.restrict(path)
        guard let bytes = try OpenFile(path, O_RDONLY).bytes(limit: Self.sizeLimit) else {
            throw SettingsError(.corrupted, "\(path) has more than \(Self.sizeLimit) bytes, and is no secret")
        }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw SettingsError(.corrupted, "\(path) is no text in UTF-8, and is no secret")
        }
        return Secret(text)
    }

    /// Stores a secret, or removes it; on the disk when it returns.
    public func setSecret(_ secret: Secret<String>?, for name: String) async throws {
        let file = try file(name)
        try await withCheckedThrowingContinuation { (waiter: CheckedContinuation<Void, any Error>) in
            queue.async { [self] in waiter.resume(with: Result { try write(secret, file) }) }
        }
    }

    private func write(_ secret: Secret<String>?, _ file: FileName) throws {
        if secret == nil, !FileSystem.exists(directory) { return }
        try FileSystem.makeDirectory(directory)
        try requirePrivate()
        let lock = try FileLock("\(directory)/.lock", timeout: .seconds(5))
        let path = try path(file)
        if let secret {
            let bytes = Array(secret.reveal().utf8)
            guard bytes.count <= Self.sizeLimit else {
                throw SettingsError(
                    .unsupportedValue,
                    "a secret may have \(Self.sizeLimit) bytes, for \(path) are more"
                )
            }
            let draft = "\(directory)/.new"
            try FileSystem.create(draft, bytes, flushing: true)
            try FileSystem.move(draft, to: path)
        } else {
            try FileSystem.remove(path)
        }
        try FileSystem.flush(directory: directory)
        withExtendedLifetime(lock) {}
    }

    /// A directory that others use may not be closed to them; secrets are not put there either.
    private func requirePrivate() throws {
        guard try OpenFile(directory, O_RDONLY | O_DIRECTORY).status().st_mode & 0o077 == 0 else {
            throw SettingsError(
                .unavailable,
                "\(directory) is open to others: take a directory of its own for secrets, with the mode 0700"
            )
        }
    }

    private func file(_ name: String) throws -> FileName {
        let file = FileName(name)
        guard !name.isEmpty, file.text.utf8.count <= FileName.limit else {
            throw SettingsError(.invalidName, "a secret has no name, or one of more than \(FileName.limit) bytes")
        }
        return file
    }

    /// Where the secret is, or is to be: a file that was made for another spelling of the name stays in use.
    private func path(_ file: FileName) throws -> String {
        let path = "\(directory)/\(file.text)"
        if FileSystem.exists(path) { return path }
        let spellings = try FileSystem.names(in: directory).lazy.compactMap(FileName.init(file:))
        return spellings.first { $0.name == file.name }.map { "\(directory)/\($0.text)" } ?? path
    }
}
