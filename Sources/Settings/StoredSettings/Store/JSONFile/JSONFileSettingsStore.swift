import Dispatch
import Platform
import Synchronization

/// Settings in one JSON file that people can read and edit, that survives crashes, and that several processes may share.
///
/// What ``transact(_:)`` returned is on the disk: a new file was written, flushed and renamed over the old one, and its
/// directory flushed. The file is for its owner only (0600). Secrets are sealed, or refused when there is no sealer. A
/// symbolic link is followed, and unknown members at the top level of the file are kept. A file that is no JSON is refused and
/// stays as it is. A file that is removed while the store is in use is written anew; if that fails, reading does as well.
///
/// Each transaction writes the whole file: for thousands of scopes take another store.
///
/// ```swift
/// let store = try JSONFileSettingsStore(path: "/var/lib/lamp/settings.json", sealer: sealer)
/// ```
public final class JSONFileSettingsStore: SettingsStore {
    private struct State {
        /// The document as last read or written, and the identity of its file.
        var document: StoreDocument?
        var identity: FileIdentity?
        /// How many times in a row the file was not found.
        var misses = 0
        /// Why the file that was removed could not be written anew.
        var fault: SettingsError?
        var isClosed = false
    }

    /// The file, as it was named.
    public let path: String

    private let file: StoreFile
    private let secrets: SecretBox
    private let options: FileStoreOptions
    private let state = Mutex(State())
    /// Whether the file was opened or made, and its key is the right one.
    private let isOpen = Mutex(false)
    private let queue = DispatchQueue(label: "settings.file")
    private let observers = StoreObservers()

    /// Opens a store, which is made with its directory where there is none.
    ///
    /// A second file, with `.lock` at the end of its name, is kept beside that at `path`. Without a sealer, secrets can
    /// neither be read nor written.
    ///
    /// - Throws: ``SettingsError`` with a code such as ``SettingsError/Code/newerSchema``,
    ///   ``SettingsError/Code/foreignFile``, ``SettingsError/Code/corrupted`` or ``SettingsError/Code/wrongKey``. Nothing
    ///   was changed then.
    public convenience init(path: String, sealer: (any SecretSealer)? = nil) throws {
        try self.init(path: path, sealer: sealer, options: FileStoreOptions())
    }

    package convenience init(path: String, sealer: (any SecretSealer)? = nil, options: FileStoreOptions) throws {
        self.init(unopened: path, sealer: sealer, options: options)
        try open()
    }

    /// Makes a store that opens its file at the first call; if that fails, each later call tries again.
    init(unopened path: String, sealer: (any SecretSealer)? = nil, options: FileStoreOptions = FileStoreOptions()) {
        self.path = path
        file = StoreFile(resolving: path)
        secrets = SecretBox(sealer: sealer, path: path)
        self.options = options
    }

    private func open() throws {
        try isOpen.withLock { isOpen in
            guard !isOpen else { return }
            if try current() == nil {
                try SettingsError.wrapping(file.makeDirectory)
                try write { _ in ((), [:]) }
            }
            // Not before it is known as a store: another program may need its file as it is.
            try SettingsError.wrapping { try restrictToOwner(file.path, allowsForeign: true) }
            try secrets.check(current()?.key)
            isOpen = true
        }
    }

    /// The name of the key that sealed the secrets; nil while nothing is sealed.
    package var keyIdentifier: String? { get throws { try document().key } }

    /// Reads what is stored at one moment.
    public func read<Result>(_ body: (any SettingsReader) throws -> Result) throws -> Result {
        try body(DocumentReader(document: document(), secrets: secrets))
    }

    /// Runs `body` alone against every other writer, other processes included, and makes its changes durable.
    @discardableResult
    public func transact<Result: Sendable>(
        _ body: @escaping @Sendable (inout SettingsTransaction) throws -> Result
    ) async throws -> Result {
        try await withCheckedThrowingContinuation { waiter in
            queue.async { [self] in
                let result = Swift.Result {
                    try open()
                    return try write { try $0.transact(body, secrets: secrets) }
                }
                observers.deliver()
                waiter.resume(with: result)
            }
        }
    }

    /// Tells an observer what this process and others commit from now on.
    public func add(_ observer: StoreObserver) {
        observers.add(observer, lookingEvery: options.watchInterval) { [weak self] in try self?.look() }
    }

    private func look() throws {
        try open()
        _ = try current()
        let misses = state.withLock { state in
            state.misses = file.identity == nil ? state.misses + 1 : 0
            return state.misses
        }
        do {
            // Not at the first miss: an editor may be about to put another file there.
            if misses > 1 { try write { _ in ((), [:]) } }
            state.withLock { $0.fault = nil }
        } catch {
            state.withLock { $0.fault = SettingsError(error) }
            throw error
        }
    }

    /// Finishes the transactions that wait; later use throws.
    ///
    /// A store that is released closes itself.
    public func close() {
        queue.sync {
            state.withLock { $0.isClosed = true }
            observers.stopLooking()
        }
    }

    private func document() throws -> StoreDocument {
        try open()
        let document = try current()
        let fault = file.identity == nil ? state.withLock(\.fault) : nil
        guard let document, fault == nil else {
            throw fault ?? SettingsError(.unavailable, "there is no store of settings at \(path)")
        }
        return document
    }

    /// The document in force, also after its file was removed, but not after its folder was; costs one `stat` unless another
    /// process wrote the file.
    private func current() throws -> StoreDocument? {
        var hasNews = false
        let document = try state.withLock { state -> StoreDocument? in
            guard !state.isClosed else { throw SettingsError(.closed, "the store \(path) was closed") }
            if let document = state.document, state.identity == file.identity { return document }
            guard let (bytes, identity) = try SettingsError.wrapping(file.read) else {
                if state.document != nil { try file.checkDirectory() }
                return state.document
            }
            var document = try StoreDocument(json: bytes, path: path)
            let changes = state.document.map { document.countEdits(since: $0) } ?? []
            (state.document, state.identity) = (document, identity)
            hasNews = !changes.isEmpty
            observers.enqueue(StoreChanges(of: changes, in: DocumentReader(document: document, secrets: secrets)))
            return document
        }
        // On the queue: a reader must not wait for observers.
        if hasNews { queue.async { [observers] in observers.deliver() } }
        return document
    }

    /// Changes the document while no other writer can; writes nothing if `change` changes nothing, unless the file was
    /// removed.
    private func write<Result>(
        _ change: (inout StoreDocument) throws -> (result: Result, writes: [String: SettingsWrite])
    ) throws -> Result {
        let lock = try SettingsError.wrapping { try file.lock(timeout: options.busyTimeout) }
        let before = try current()
        var document = before ?? StoreDocument(epoch: .randomEpoch())
        let (result, writes) = try change(&document)
        if document != before || file.identity == nil {
            let identity = try SettingsError.wrapping { try file.replace(with: Array(document.json().utf8)) }
            state.withLock { state in
                (state.document, state.identity) = (document, identity)
                // Under the lock: the next commit of another process must not overtake.
                observers.enqueue(StoreChanges(writes))
            }
        }
        withExtendedLifetime(lock) {}
        return result
    }
}
