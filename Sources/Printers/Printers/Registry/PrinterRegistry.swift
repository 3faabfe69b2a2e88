import CameraProtocols
package import Concurrency
package import Foundation
package import Logging
package import OpenSSL
import Platform
package import StoredSettings
import Synchronization

/// The one owner of all printers: it commits changes of settings, and tells its watchers which printers changed.
///
/// It shows the committed snapshot of a printer's settings, never an assignment that is not on disk. Reading it does not wait
/// for a commit.
package actor PrinterRegistry {
    let store: any SettingsStore
    let applier: ConfigApplier
    let now: @Sendable () -> Date
    let logger: Logger
    /// How this program was installed: hints name its commands as they work there.
    package nonisolated let installation: Installation
    private let stormLimit: Int
    private let messageLimit: Int

    private struct Shown {
        var printers: [PrinterID: Printer] = [:]
        /// Sorted; nil after a printer was added or removed.
        var sortedIDs: [PrinterID]?
        var watchers = WeakList<PrinterWatcher>()

        var ids: [PrinterID] {
            mutating get {
                let ids = sortedIDs ?? printers.keys.sorted()
                sortedIDs = ids
                return ids
            }
        }
    }

    /// Written by the registry only.
    private nonisolated let shown = Mutex(Shown())
    private var storms: [PrinterID: ConfigStorm] = [:]
    /// By printer, keys of messages that could not be saved and may come again; removed by the printer's next change.
    private var unsaved: [PrinterID: [String]] = [:]
    /// The committed settings and camera records of all printers; nil before ``load()``.
    private var followed: FollowedScopes?
    private var saveFault: SettingsError?
    /// Why settings can't be saved, at each change; nil when they can be saved again.
    package nonisolated let saveFaults = Inbox<SettingsError?>(nil)

    /// Makes an empty registry; ``load()`` fills it.
    ///
    /// `digest` recognises messages without an id, see ``digest(key:)``, and is the same at each start. `createsPrinters` lets
    /// messages from the broker create printers. `stormLimit` is for one printer and second; 0 for no limit.
    package init(
        store: any SettingsStore,
        digest: @escaping @Sendable ([UInt8]) -> String,
        createsPrinters: Bool = true,
        stormLimit: Int = 20,
        messageLimit: Int = .max,
        installation: Installation = .plain,
        now: @escaping @Sendable () -> Date = { Date() },
        logger: Logger
    ) {
        self.store = store
        self.stormLimit = stormLimit
        self.messageLimit = messageLimit
        self.installation = installation
        self.now = now
        self.logger = logger
        applier = ConfigApplier(digest: digest, allowsCreation: createsPrinters)
    }

    /// A digest of configuration messages, as 16 hexadecimal digits.
    ///
    /// Keyed, because it is published and an access code is short: a plain digest could be tried out.
    package static func digest(key: SealingKey) -> @Sendable ([UInt8]) -> String {
        // If the digest fails, use a random one, which equals that of no earlier message.
        { String(((try? key.code(of: $0, for: "message mark")) ?? UUID().uuidString).prefix(16)) }
    }

    /// Restores every printer from the store; does nothing when called again.
    package func load() throws {
        guard followed == nil else { return }
        followed = try store.follow(PrinterSettings.scopePrefix, CameraRecord.scopePrefix)
        catchUp()
    }

    /// Whether the store had such a printer, and has it no more; false while the store cannot be read.
    package nonisolated func wasRemoved(_ id: PrinterID) -> Bool {
        (try? store.read { try $0.removedRevision(PrinterSettings.scope(of: id)) }) ?? 0 > 0
    }

    /// Shows each commit, also by other processes, until it is cancelled.
    package func followStore() async {
        do { try load() } catch {
            return logger.error("Settings could not be read", metadata: ["error": "\(error)"])
        }
        guard let followed else { return }
        while let changes = await followed.next() { show(changes) }
    }

    /// Shows all commits so far, including each transaction of this process that has returned.
    package func catchUp() {
        if let followed { show(followed.take()) }
    }

    /// Shows all changes in one step, so that a reader sees a new printer with its camera record, and a rename complete.
    private func show(_ changes: [String: ScopeState]) {
        var changed: [PrinterID: Printer] = [:]
        var removed: Set<PrinterID> = []
        var cameras: [(id: PrinterID, camera: CameraRecord?)] = []
        for (scope, change) in changes {
            if case .unreadable(let fault) = change {
                logger.error("Settings could not be read", metadata: ["error": "\(fault)"])
            } else if let id = PrinterSettings.id(ofScope: scope) {
                if change.record == nil { removed.insert(id) } else { changed[id] = refreshed(id) }
            } else if let id = CameraRecord.id(ofScope: scope) {
                cameras.append((id, change.record.flatMap { CameraRecord($0.values) }))
            }
        }
        // Set the cameras last: a camera record may arrive together with its new printer.
        for (id, camera) in cameras where !removed.contains(id) {
            guard var printer = changed[id] ?? self[id], printer.camera != camera else { continue }
            printer.camera = camera
            changed[id] = printer
        }
        for id in removed { storms[id] = nil }
        put(changed, removing: removed)
    }

    /// A printer with its committed settings; nil if they are shown already.
    private func refreshed(_ id: PrinterID) -> Printer? {
        guard var printer = self[id] else {
            return Printer(id: id, settings: PrinterSettings(store: store, id: id), on: installation)
        }
        return printer.catchUp() ? printer : nil
    }

    /// Shows printers as they are now, and no longer those that are gone.
    private func put(_ changed: [PrinterID: Printer], removing removed: Set<PrinterID> = []) {
        guard !removed.isEmpty || !changed.isEmpty else { return }
        let time = now()
        let (watchers, changes) = shown.withLock { shown in
            var changes: [PrinterID: PrinterChange?] = [:]
            for id in removed {
                shown.printers[id] = nil
                changes[id] = .some(nil)
            }
            for (id, var printer) in changed {
                printer.history.record(printer.stream.status, at: time)
                let before = shown.printers.updateValue(printer, forKey: id)
                changes[id] = .some(before.map { PrinterChange(before: $0, now: printer) })
            }
            if changes.values.contains(where: { $0 == nil }) { shown.sortedIDs = nil }
            return (shown.watchers.objects, changes)
        }
        for watcher in watchers { watcher.note(changes) }
    }

    /// The printers, in alphabetical order.
    package nonisolated var ids: [PrinterID] { shown.withLock { $0.ids } }

    /// The printers, in alphabetical order.
    package nonisolated var all: [Printer] {
        shown.withLock { shown in shown.ids.compactMap { shown.printers[$0] } }
    }

    package nonisolated var streamCounts: [StreamStatus: Int] {
        shown.withLock { $0.printers.values.reduce(into: [:]) { $0[$1.stream.status, default: 0] += 1 } }
    }

    package nonisolated subscript(id: PrinterID) -> Printer? { shown.withLock { $0.printers[id] } }

    /// Watches printers that come, go, or change in what concerns the reader; by default, any change does.
    ///
    /// At first all printers are news. The registry does not keep the watcher alive.
    package nonisolated func watch(
        waking wakeup: Wakeup = Wakeup(),
        where concerns: @escaping PrinterWatcher.Concern = { _ in true }
    ) -> PrinterWatcher {
        let watcher = PrinterWatcher(waking: wakeup, concerns)
        shown.withLock { shown in
            watcher.news.insert(shown.ids)
            shown.watchers.add(watcher)
        }
        return watcher
    }

    /// Calls `body` with the printers that are news, as ``watch(waking:where:)`` says, until it is cancelled.
    package nonisolated func forEachChange(
        where concerns: @escaping PrinterWatcher.Concern = { _ in true },
        _ body: @Sendable (Set<PrinterID>) async -> Void
    ) async {
        let watcher = watch(where: concerns)
        while let ids = await watcher.news.next() { await body(ids) }
    }

    /// Applies configuration messages in their order, in as few commits as ``messageLimit`` allows.
    ///
    /// When this returns, what was applied is on disk and shown.
    package func apply(_ messages: [ConfigMessage], isOtherBroker: Bool = false) async -> [ConfigApplier.Outcome] {
        var outcomes: [ConfigApplier.Outcome] = []
        for some in messages.chunks(of: messageLimit) { outcomes += await commit(some, isOtherBroker: isOtherBroker) }
        return outcomes
    }

    /// How many printers of the configuration file one commit may change: each has four scopes, and a message two.
    var commitLimit: Int { messageLimit / 2 }

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
                        unsaved: unsaved[message.printer] ?? [],
                        at: time,
                        in: &transaction
                    )
                }
            }
            for outcome in outcomes
            where !outcome.isRepeated && [.applied, .configStorm].contains(outcome.result?.status) {
                storms[outcome.message.printer, default: ConfigStorm(limit: stormLimit)].attempt(at: seconds)
            }
            let applied = outcomes.filter { !$0.isRepeated && $0.result?.status == .applied }
            for outcome in applied { unsaved[outcome.message.printer] = nil }
            if !applied.isEmpty { note(saveFault: nil) }
            catchUp()
            return outcomes
        } catch {
            logger.error("Settings could not be saved", metadata: ["error": "\(error)"])
            if let fault = error as? SettingsError, fault.code != .notOwned { note(saveFault: fault) }
            for message in messages {
                guard let key = applier.retainedKey(of: message) else { continue }
                let others = (unsaved[message.printer] ?? []).filter { $0 != key }
                unsaved[message.printer] = others.suffix(HandledCommands.unsavedLimit - 1) + [key]
            }
            return messages.map { .notSaved($0, revision: self[$0.printer]?.committed.revision ?? 0, error) }
        }
    }

    /// Saves a time if settings could not be saved: the cause may end long before the next change.
    package func retrySaving() async {
        guard saveFault != nil else { return }
        let time = now()
        do {
            let tried = ["tried_at": JSONValue.double(time.timeIntervalSince1970)]
            try await store.transact { try $0.update("saving", tried, by: ConfigSource.local.rawValue, at: time) }
            note(saveFault: nil)
        } catch let fault as SettingsError where fault.code != .notOwned { note(saveFault: fault) } catch {}
    }

    func note(saveFault fault: SettingsError?) {
        guard fault != saveFault else { return }
        saveFault = fault
        saveFaults.add { $0 = fault }
    }

    package func update(_ id: PrinterID, _ change: (inout Printer) -> Void) {
        guard let before = self[id] else { return }
        var printer = before
        change(&printer)
        put([id: printer])
        // A probe logs its own result; afterwards the printer itself may tell the cause.
        if printer.stream.checkedAt == before.stream.checkedAt, printer.stream.report?.failure != nil,
            printer.hint != before.hint
        {
            logger.log(printer, before: before)
        }
    }
}
