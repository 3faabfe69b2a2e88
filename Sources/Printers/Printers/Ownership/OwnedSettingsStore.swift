package import StoredSettings
import Synchronization

/// The settings that several bridges share, as one member sees them: printers of other members are there for transactions only.
///
/// So the rest of the bridge need not know of the others: a printer that goes to another member disappears from the store,
/// and a printer that comes appears in it.
package final class OwnedSettingsStore: SettingsStore {
    /// The beginning of the scopes that list the retained topics of an owner, a printer or `bridge`; see `Manifest` in Bridge.
    package static let topicsPrefix = "manifest/"

    package let base: any SettingsStore
    package let ownership: PrinterOwnership
    /// How many messages one transaction may apply: each changes two scopes.
    package let messageLimit: Int
    private let observers = StoreObservers()
    /// Held while changes are enqueued, so that records read here and records from the base keep their order.
    private let order = Mutex(())
    private let baseObserver = LockedValue<StoreObserver?>(nil)

    /// Makes a view of `base`, of which one transaction may change `scopeLimit` scopes.
    package init(_ base: any SettingsStore, scopeLimit: Int = .max, ownership: PrinterOwnership) {
        self.base = base
        self.ownership = ownership
        messageLimit = scopeLimit / 2
        let observer = StoreObserver { [weak self] in self?.receive($0) }
        baseObserver.value = observer
        base.add(observer)
    }

    private func receive(_ changes: StoreChanges) {
        order.withLock { _ in observers.enqueue(StoreChanges(changes.states.filter { shows($0.key) })) }
        observers.deliver()
    }

    /// Tells the observers the records of printers that this member has taken over or given away.
    package func tellOwnership(of printers: Set<PrinterID>) throws {
        try order.withLock { _ in
            let scopes = Set(printers.flatMap { [PrinterSettings.scope(of: $0), CameraRecord.scope(of: $0)] })
            let changes = try read { StoreChanges(of: scopes, in: $0) }
            observers.enqueue(changes)
        }
        observers.deliver()
    }

    /// Reads the records of this member's printers, and those of no printer, as they are at one moment.
    package func read<Result>(_ body: (any SettingsReader) throws -> Result) throws -> Result {
        try base.read { try body(Reader(base: $0, shows: shows)) }
    }

    /// Runs `body` over the records of all members.
    ///
    /// - Throws: ``StoredSettings/SettingsError`` with the code `not_owned` if the store fails while the member has no lease.
    @discardableResult
    package func transact<Result: Sendable>(
        _ body: @escaping @Sendable (inout SettingsTransaction) throws -> Result
    ) async throws -> Result {
        do { return try await base.transact(body) } catch let error as SettingsError where !ownership.isActive {
            throw SettingsError(.notOwned, error.message)
        }
    }

    /// Tells an observer the commits to this member's printers, and to scopes that belong to no printer.
    package func add(_ observer: StoreObserver) { observers.add(observer) }

    package var allPrinters: [PrinterID] {
        ((try? base.scopes(prefix: PrinterSettings.scopePrefix)) ?? []).compactMap(PrinterSettings.id(ofScope:))
            .sorted()
    }

    package static var printerPrefix: String { PrinterSettings.scopePrefix }

    package static func isOfSlot(_ scope: String) -> Bool { scope.hasPrefix("slot/") }

    private struct Reader: SettingsReader {
        let base: any SettingsReader
        let shows: (String) -> Bool

        var epoch: String { base.epoch }
        func scopes(prefix: String) throws -> [String] { try base.scopes(prefix: prefix).filter(shows) }
        func record(_ scope: String) throws -> SettingsRecord? { shows(scope) ? try base.record(scope) : nil }
        func removedRevision(_ scope: String) throws -> Int { try base.removedRevision(scope) }
        func records(prefix: String) throws -> [String: SettingsRecord] {
            try base.records(prefix: prefix).filter { shows($0.key) }
        }
    }

    private func shows(_ scope: String) -> Bool {
        guard let slash = scope.firstIndex(of: "/"), Self.kinds.contains(String(scope[...slash])) else { return true }
        return ownership.owns(topicsOf: PrinterID(scope[scope.index(after: slash)...]))
    }

    /// The prefixes of scopes that belong to one printer or to `bridge`, and so to one member.
    private static let kinds: Set = [PrinterSettings.scopePrefix, CameraRecord.scopePrefix, topicsPrefix]
}
