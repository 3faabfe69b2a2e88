public import Foundation
public import Logging
public import OpenSSL
import RTSP
public import StoredSettings

/// The one owner of every printer: takes in what happens, commits what has to last, and says which printers changed.
///
/// Of a printer's settings it shows the committed snapshot of the model. It never shows an assignment that is not on disk.
public actor PrinterRegistry {
    let store: any SettingsStore
    let applier: ConfigApplier
    let now: @Sendable () -> Date
    let logger: Logger
    private let stormLimit: Int
    private let isMine: @Sendable (PrinterID) -> Bool
    /// Whether other bridges share the printers; then a commit takes less.
    private let isOfFleet: Bool

    private var printers: [PrinterID: Printer] = [:]
    /// Sorted; nil when printers came or went since.
    private var sortedIDs: [PrinterID]?
    private var storms: [PrinterID: StormBreaker] = [:]
    /// The keys of retained messages that could not be saved, until a later message changes the printer.
    private var unsaved: [PrinterID: String] = [:]
    private var watchers: [ChangeSet<PrinterID>] = []
    /// The settings and camera records of all printers, as they are committed by anybody; nil before ``load()``.
    private var followed: FollowedScopes?
    private var saveFault: SettingsError?
    /// Why settings can't be saved, each time that this changes; nil when they can be again.
    package nonisolated let saveFaults: AsyncStream<SettingsError?>
    private let saveFaultChanged: AsyncStream<SettingsError?>.Continuation

    /// Makes an empty registry; ``load()`` fills it.
    ///
    /// - Parameters:
    ///   - store: Where settings last.
    ///   - digest: Recognises messages without an id, see ``digest(key:)``; the same at each start.
    ///   - createsPrinters: Whether a message from the broker may create a printer.
    ///   - stormLimit: Changes a second to one printer that are still believed; 0 believes any number.
    ///   - fleet: Says which printers are shown here, where several bridges share them; nil without a fleet.
    ///   - now: The time.
    ///   - logger: Told what can't be saved.
    public init(
        store: any SettingsStore,
        digest: @escaping @Sendable ([UInt8]) -> String,
        createsPrinters: Bool = true,
        stormLimit: Int = 20,
        fleet: FleetOwnership? = nil,
        now: @escaping @Sendable () -> Date = { Date() },
        logger: Logger
    ) {
        self.store = store
        self.stormLimit = stormLimit
        isMine = { fleet?.owns($0) ?? true }
        isOfFleet = fleet != nil
        self.now = now
        self.logger = logger
        applier = ConfigApplier(digest: digest, allowsCreation: createsPrinters)
        (saveFaults, saveFaultChanged) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(16))
    }

    /// A digest of configuration messages, as 16 hexadecimal digits.
    ///
    /// Keyed, because it is published and an access code is short: a plain digest could be tried out.
    ///
    /// - Parameter key: The key of the store.
    /// - Returns: Makes the digest of a payload.
    public static func digest(key: SealingKey) -> @Sendable ([UInt8]) -> String {
        let authentication = MessageAuthentication(key: key, purpose: "message mark")
        // Without a digest a message would pass for one handled before: a random one never does.
        return { String(((try? authentication.hex(of: $0)) ?? UUID().uuidString).prefix(16)) }
    }

    /// Restores every printer from the store; does nothing when called again.
    public func load() throws {
        guard followed == nil else { return }
        followed = try store.follow(PrinterSettings.scopePrefix, CameraRecord.scopePrefix)
        catchUp()
    }

    /// Shows what anybody commits, other processes included, until it is cancelled.
    public func followStore() async {
        do { try load() } catch {
            return logger.error("Settings could not be read", metadata: ["error": "\(error)"])
        }
        guard let followed else { return }
        for await _ in followed.wakes { catchUp() }
    }

    /// Shows all commits so far.
    ///
    /// Those of this process are included as soon as their transactions have returned.
    package func catchUp() {
        guard let followed else { return }
        var changed: Set<PrinterID> = []
        var cameras: [(id: PrinterID, camera: CameraRecord?)] = []
        for (scope, change) in followed.take() {
            if case .unreadable(let fault) = change {
                logger.error("Settings could not be read", metadata: ["error": "\(fault)"])
            } else if let id = PrinterSettings.id(ofScope: scope) {
                if show(change, of: id) { changed.insert(id) }
            } else if let id = CameraRecord.id(ofScope: scope) {
                cameras.append((id, change.record.flatMap { CameraRecord($0.values) }))
            }
        }
        // After all settings: a record may have come together with its printer.
        for (id, camera) in cameras where printers[id] != nil && printers[id]?.camera != camera {
            printers[id]?.camera = camera
            changed.insert(id)
        }
        announce(changed)
    }

    /// Shows what became of a printer's settings; whether that is news.
    private func show(_ change: FollowedScopes.Change, of id: PrinterID) -> Bool {
        guard change.record != nil else {
            storms[id] = nil
            sortedIDs = nil
            return printers.removeValue(forKey: id) != nil
        }
        if var printer = printers[id] {
            guard printer.catchUp() else { return false }
            printers[id] = printer
            return true
        }
        printers[id] = Printer(id: id, settings: PrinterSettings(store: store, id: id))
        sortedIDs = nil
        return printers[id] != nil
    }

    /// The printers, in alphabetical order.
    public var ids: [PrinterID] {
        if sortedIDs == nil { sortedIDs = printers.keys.sorted() }
        return sortedIDs ?? []
    }

    /// The printers, in alphabetical order.
    package var all: [Printer] { printers.values.sorted { $0.id < $1.id } }

    /// How many printers there are of each stream status.
    package var streamCounts: [StreamStatus: Int] {
        printers.values.reduce(into: [:]) { $0[$1.stream.status, default: 0] += 1 }
    }

    /// One printer; nil when there is none of that name.
    public subscript(id: PrinterID) -> Printer? { printers[id] }

    /// Several printers; those that are gone are absent.
    package func printers(_ ids: Set<PrinterID>) -> [PrinterID: Printer] {
        Dictionary(uniqueKeysWithValues: ids.lazy.compactMap { id in self.printers[id].map { (id, $0) } })
    }

    /// The observable settings of a printer.
    public func settings(of id: PrinterID) -> PrinterSettings? { printers[id]?.settings }

    /// A set into which the names of changed printers go from now on, and at first those of all there are.
    package func watch() -> ChangeSet<PrinterID> {
        let watcher = ChangeSet<PrinterID>()
        watcher.insert(printers.keys)
        watchers.append(watcher)
        return watcher
    }

    /// Ends what ``watch()`` began.
    package func stopWatching(_ watcher: ChangeSet<PrinterID>) { watchers.removeAll { $0 === watcher } }

    /// Applies configuration messages in their order, in one commit, or in a fleet in several.
    ///
    /// When this returns, what was applied is on disk and shown.
    package func apply(_ messages: [ConfigMessage], isOtherBroker: Bool = false) async -> [ConfigApplier.Outcome] {
        var outcomes: [ConfigApplier.Outcome] = []
        let limit = isOfFleet ? FleetStore.messageLimit : .max
        for some in messages.chunks(of: limit) { outcomes += await commit(some, isOtherBroker: isOtherBroker) }
        return outcomes
    }

    /// How many printers one commit may change.
    var commitLimit: Int { isOfFleet ? FleetStore.commitLimit : .max }

    private func commit(_ messages: ArraySlice<ConfigMessage>, isOtherBroker: Bool) async -> [ConfigApplier.Outcome] {
        let time = now()
        let seconds = time.timeIntervalSinceReferenceDate
        var storming: Set<PrinterID> = []
        for message in messages where storms[message.printer]?.refuses(at: seconds) == true {
            storming.insert(message.printer)
        }
        do {
            try load()
            let outcomes = try await store.transact { [applier, storming, unsaved] transaction in
                try messages.map { message in
                    try applier.apply(
                        message,
                        isOtherBroker: isOtherBroker,
                        isStorming: storming.contains(message.printer),
                        unsaved: unsaved[message.printer],
                        at: time,
                        in: &transaction
                    )
                }
            }
            for outcome in outcomes
            where !outcome.isRepeated && [.applied, .configStorm].contains(outcome.result?.status) {
                storms[outcome.message.printer, default: StormBreaker(limit: stormLimit)].attempt(at: seconds)
            }
            let applied = outcomes.filter { $0.result?.status == .applied }
            for outcome in applied { unsaved[outcome.message.printer] = nil }
            if !applied.isEmpty { note(saveFault: nil) }
            catchUp()
            return outcomes
        } catch {
            logger.error("Settings could not be saved", metadata: ["error": "\(error)"])
            // In a fleet the printer of another member is not this one's to save.
            if let fault = error as? SettingsError, messages.allSatisfy({ isMine($0.printer) }) {
                note(saveFault: fault)
            }
            for message in messages {
                unsaved[message.printer] = applier.retainedKey(of: message) ?? unsaved[message.printer]
            }
            return messages.map { .notSaved($0, revision: printers[$0.printer]?.record.revision ?? 0, error) }
        }
    }

    /// Records whether the store takes changes.
    func note(saveFault fault: SettingsError?) {
        guard fault != saveFault else { return }
        saveFault = fault
        saveFaultChanged.yield(fault)
    }

    /// Changes what is shown of a printer and is not among its settings.
    package func show(_ id: PrinterID, _ change: (inout Printer) -> Void) {
        guard var printer = printers[id] else { return }
        change(&printer)
        printers[id] = printer
        announce([id])
    }

    private func announce(_ changed: Set<PrinterID>) {
        guard !changed.isEmpty else { return }
        for watcher in watchers { watcher.insert(changed) }
    }
}
