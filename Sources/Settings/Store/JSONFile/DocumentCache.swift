import Synchronization

/// The document as it was last read or written, and whether the file is still the same.
final class DocumentCache: Sendable {
    private struct State {
        var document: StoreDocument?
        var identity: FileIdentity?
        /// Why the file beside the last good copy is not used, as long as it lies there.
        var fault: String?
    }

    let files: StoreFiles
    let broadcaster = SettingsChangeBroadcaster()
    private let state = Mutex(State())
    private let onFault: @Sendable (String) -> Void

    /// Reads nothing yet; `onFault` hears each time that the last good copy has to do.
    init(_ files: StoreFiles, onFault: @escaping @Sendable (String) -> Void) {
        self.files = files
        self.onFault = onFault
    }

    private struct Look {
        let document: StoreDocument?
        var changes: Set<String> = []
        var fault: String?
    }

    /// The document in force, which costs one look at the file's dates unless somebody else wrote it; nil for none.
    func current() throws -> StoreDocument? {
        let identity = FileIdentity(files.main)
        let look = try state.withLock { (state: inout State) throws -> Look in
            if let document = state.document, state.identity == identity { return Look(document: document) }
            return try reload(&state)
        }
        if let fault = look.fault { onFault(fault) }
        broadcaster.send(look.changes)
        return look.document
    }

    private func reload(_ state: inout State) throws -> Look {
        let (identity, copies) = try files.load()
        let found: (document: StoreDocument, fault: String?)
        switch copies.decision {
        case .begin where state.document == nil: return Look(document: nil)
        case .begin: throw SettingsError(.unavailable, "the settings in \(files.main) were removed while in use")
        case .use(let document): found = (document, nil)
        case .recover(let document, let reason): found = (document, reason)
        case .refuse(let fault): throw fault.error(files.main)
        }
        let changes = state.document.map(found.document.differences) ?? []
        state = State(document: found.document, identity: identity, fault: found.fault)
        return Look(document: found.document, changes: changes, fault: found.fault)
    }

    /// Whether the file has to be put aside before it is written.
    var isFaulty: Bool { state.withLock { $0.fault != nil } }

    /// Takes what was just written.
    func set(_ document: StoreDocument, _ identity: FileIdentity) {
        state.withLock { $0 = State(document: document, identity: identity) }
    }
}
