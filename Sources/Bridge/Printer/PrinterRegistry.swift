public import Foundation
public import Logging
import RTSP
public import Settings

/// The one owner of every printer: takes in what happens, commits what has to last, and says which printers changed.
///
/// What it shows of a printer's settings is what is on disk, never what is about to be.
public actor PrinterRegistry {
    private let store: any SettingsStore
    private let applier: ConfigApplier
    private let stormLimit: Int
    private let now: @Sendable () -> Date
    private let logger: Logger

    private var printers: [PrinterID: Printer] = [:]
    /// Sorted; nil when printers came or went since.
    private var sortedIDs: [PrinterID]?
    private lazy var feed = SettingsFeed(store)
    private var models: [PrinterID: PrinterSettings] = [:]
    private var storms: [PrinterID: StormBreaker] = [:]
    private var memories: [PrinterID: WishMemory] = [:]
    private var watchers: [ChangeSet<PrinterID>] = []
    private var reads = ReadOrder<String>()

    /// Makes an empty registry; ``load()`` fills it.
    ///
    /// - Parameters:
    ///   - store: Where settings last.
    ///   - digest: A keyed digest of a payload, as short text.
    ///   - createsPrinters: Whether a message from the broker may create a printer.
    ///   - stormLimit: Changes a second to one printer that are still believed; 0 believes any number.
    ///   - now: The time.
    ///   - logger: Told what can't be saved.
    public init(
        store: any SettingsStore,
        digest: @escaping @Sendable ([UInt8]) -> String,
        createsPrinters: Bool = true,
        stormLimit: Int = 20,
        now: @escaping @Sendable () -> Date = { Date() },
        logger: Logger
    ) {
        self.store = store
        self.stormLimit = stormLimit
        self.now = now
        self.logger = logger
        applier = ConfigApplier(digest: digest, allowsCreation: createsPrinters)
    }

    /// Restores every printer from the store.
    public func load() async throws {
        let cameras = try store.records(prefix: KnownCamera.scopePrefix)
        settle(try store.records(prefix: PrinterSettings.scopePrefix).merging(cameras) { $1 })
    }

    /// Takes over what anybody commits, other processes included, until it is cancelled.
    public func followStore() async {
        let changes = store.changes()
        // What was committed between load() and now was announced to nobody.
        let known = printers.keys.map(PrinterSettings.scope(of:))
        await refresh(Set(known + ((try? store.scopes(prefix: PrinterSettings.scopePrefix)) ?? [])))
        for await scopes in changes {
            let ours = scopes.filter { $0.hasPrefix(PrinterSettings.scopePrefix) }
            if !ours.isEmpty {
                await refresh(ours)
                await keepIdleMarks(of: ours)
            }
        }
    }

    /// Somebody else changed settings: what changed nothing before would change something now.
    private func keepIdleMarks(of scopes: Set<String>) async {
        let marks = scopes.reduce(into: [String: [String]]()) { marks, scope in
            guard let id = PrinterSettings.id(ofScope: scope), printers[id] != nil else { return }
            marks[scope] = memories[id]?.takeIdle()
        }.filter { !$0.value.isEmpty }
        guard !marks.isEmpty else { return }
        let time = now()
        do {
            try await store.transact { transaction in
                for (scope, marks) in marks {
                    guard let last = try transaction.record(scope)?.applied.last else { continue }
                    for mark in marks + [last] {
                        try transaction.update(scope, [:], by: ConfigSource.local.rawValue, at: time, applied: mark)
                    }
                }
            }
        } catch {
            logger.error("The marks of wishes could not be saved", metadata: ["error": "\(error)"])
        }
    }

    /// The printers, in alphabetical order.
    public var ids: [PrinterID] {
        if sortedIDs == nil { sortedIDs = printers.keys.sorted() }
        return sortedIDs ?? []
    }

    /// The printers, in alphabetical order.
    var all: [Printer] { printers.values.sorted { $0.id < $1.id } }

    /// How many printers there are of each stream status.
    var streamCounts: [StreamStatus: Int] {
        printers.values.reduce(into: [:]) { $0[$1.stream.status, default: 0] += 1 }
    }

    /// One printer; nil when there is none of that name.
    public subscript(id: PrinterID) -> Printer? { printers[id] }

    /// Several printers; those that are gone are absent.
    func printers(_ ids: Set<PrinterID>) -> [PrinterID: Printer] {
        ids.reduce(into: [:]) { $0[$1] = printers[$1] }
    }

    /// The observable settings of a printer: one instance, shared by all who ask.
    public func settings(of id: PrinterID) -> PrinterSettings? {
        guard printers[id] != nil else { return nil }
        if let model = models[id] { return model }
        let model = PrinterSettings(feed: feed, id: id)
        models[id] = model
        return model
    }

    /// A set into which the names of changed printers go from now on, and at first those of all there are.
    func watch() -> ChangeSet<PrinterID> {
        let watcher = ChangeSet<PrinterID>()
        watcher.insert(printers.keys)
        watchers.append(watcher)
        return watcher
    }

    /// Applies configuration messages in their order, in one commit.
    ///
    /// When this returns, what was applied is on disk and shown.
    func apply(_ messages: [ConfigMessage], replayedAs replay: SyncEvent = .initialSync) async -> [ConfigApplier
        .Outcome]
    {
        let time = now()
        let seconds = time.timeIntervalSinceReferenceDate
        var storming: Set<PrinterID> = []
        for message in messages where storms[message.printer]?.refuses(at: seconds) == true {
            storming.insert(message.printer)
        }
        do {
            let known = memories
            let (outcomes, memories) = try await store.transact { [applier, storming] transaction in
                var memories = known
                let outcomes = try messages.map { message in
                    try applier.apply(
                        message,
                        event: message.isReplay ? replay : .remoteChange,
                        isStorming: storming.contains(message.printer),
                        at: time,
                        memory: &memories[message.printer, default: WishMemory()],
                        in: &transaction
                    )
                }
                return (outcomes, memories)
            }
            for message in messages { self.memories[message.printer] = memories[message.printer] }
            for outcome in outcomes where [.applied, .configStorm].contains(outcome.result?.status) {
                storms[outcome.message.printer, default: StormBreaker(limit: stormLimit)].attempt(at: seconds)
            }
            await refresh(Set(outcomes.map { PrinterSettings.scope(of: $0.message.printer) }))
            return outcomes
        } catch {
            logger.error("Settings could not be saved", metadata: ["error": "\(error)"])
            return messages.map { message in
                let fault = SettingFault(
                    path: "",
                    code: .init(rawValue: "not_saved"),
                    message: "could not be saved: see the bridge's log"
                )
                let revision = printers[message.printer]?.record.revision ?? 0
                let id = ConfigRequest.id(in: message.payload)
                let result = ConfigResult(id: id, status: .failed, revision: revision, errors: [fault])
                return ConfigApplier.Outcome(message: message, result: result)
            }
        }
    }

    /// Takes note of what the broker holds on a printer's `config/set`.
    func know(retained payload: [UInt8], of id: PrinterID) async throws {
        let (memory, time) = (memories[id] ?? WishMemory(), now())
        try await store.transact { [applier] transaction in
            try applier.know(retained: payload, of: id, memory: memory, at: time, in: &transaction)
        }
    }

    /// Forgets a printer and its settings.
    ///
    /// - Returns: Whether there was one.
    public func remove(_ id: PrinterID) async throws -> Bool {
        let scope = PrinterSettings.scope(of: id)
        let time = now()
        let idle = memories[id]?.idle ?? []
        let existed = try await store.transact { transaction in
            guard let record = try transaction.record(scope) else { return false }
            try transaction.rememberRemoved(record.applied + idle, of: id, at: time)
            try transaction.remove(scope)
            try transaction.remove(KnownCamera.scope(of: id))
            return true
        }
        await refresh([scope])
        return existed
    }

    /// Gives a printer another name; its settings, their revision and its certificate's pin stay.
    ///
    /// - Throws: ``Settings/SettingsError`` with the code `notFound` when there is no such printer, `exists` when there is
    ///   one of the new name.
    public func rename(_ id: PrinterID, to name: PrinterID) async throws {
        let (scope, newScope) = (PrinterSettings.scope(of: id), PrinterSettings.scope(of: name))
        let time = now()
        try await store.transact { transaction in
            let author = ConfigSource.local.rawValue
            let record = try transaction.rename(scope, to: newScope, by: author, at: time)
            try transaction.rememberRemoved(record.applied, of: id, at: time)
            try transaction.remove(PrinterSettings.removedScope(of: name))
            try transaction.remove(KnownCamera.scope(of: name))
            if try transaction.record(KnownCamera.scope(of: id)) != nil {
                try transaction.rename(
                    KnownCamera.scope(of: id),
                    to: KnownCamera.scope(of: name),
                    by: author,
                    at: time
                )
            }
        }
        await refresh([scope, newScope])
    }

    /// Keeps what a probe found out about a printer's camera, unless the printer was removed meanwhile.
    func remember(_ camera: KnownCamera?, of id: PrinterID) async throws {
        guard let printer = printers[id], printer.camera != camera else { return }
        let time = now()
        try await store.transact { transaction in
            guard try transaction.record(PrinterSettings.scope(of: id)) != nil else { return }
            try transaction.remember(camera, of: id, at: time)
        }
        // A read that is under way has not seen it.
        reads.settle([PrinterSettings.scope(of: id)])
        printers[id]?.camera = camera
        announce([id])
    }

    /// Tells people that a printer was heard at another address, or, with nil, that it is back where it was.
    func propose(_ address: String?, for id: PrinterID) -> [PrinterEvent] {
        guard let old = printers[id], old.announcedAddress != address else { return [] }
        printers[id]?.announcedAddress = address
        announce([id])
        return address.map { [PrinterEvent(.addressChanged, of: id, at: now(), address: $0)] } ?? []
    }

    /// Takes over the address that a printer was heard at, and the trust in its certificate with it, in one commit.
    func follow(_ address: String, of id: PrinterID) async throws -> [PrinterEvent] {
        let patch = StoredValue.object([PrinterSettings.keys.printerIP.name: .string(address)])
        let message = ConfigMessage(printer: id, payload: Array(patch.json().utf8), source: .announcement)
        let (scope, time) = (PrinterSettings.scope(of: id), now())
        let isApplied = try await store.transact { [applier, camera = printers[id]?.camera] transaction in
            guard try transaction.record(scope) != nil else { return false }
            var memory = WishMemory()
            let outcome = try applier.apply(
                message,
                event: .remoteChange,
                at: time,
                memory: &memory,
                in: &transaction
            )
            guard outcome.result?.status == .applied, let values = try transaction.record(scope)?.values else {
                return false
            }
            var camera = camera
            if let endpoint = PrinterConfiguration(values: values).endpointURL?.endpoint { camera?.endpoint = endpoint }
            try transaction.remember(camera, of: id, at: time)
            return true
        }
        await refresh([scope])
        return isApplied ? [PrinterEvent(.addressChanged, of: id, at: time, address: address)] : []
    }

    /// Takes in what a probe saw; it is dropped when the printer's endpoint has changed meanwhile.
    func take(_ report: ProbeReport, of id: PrinterID, target: ProbeTarget, validity: Duration) -> [PrinterEvent] {
        guard var printer = printers[id], ProbeTarget(printer.configuration) == target else { return [] }
        let time = now()
        let before = printer.stream
        let events = printer.stream.take(report, at: time, validity: validity, trust: target.trust)
        printers[id] = printer
        logger.log(printer, before: before)
        announce([id])
        return events.map { PrinterEvent($0, of: id, at: time) }
    }

    private func refresh(_ scopes: Set<String>) async {
        var left = scopes
        while !left.isEmpty {
            // Reads may cross while this actor waits: what another overtook is read again, and nothing else.
            let turn = reads.begin()
            defer { reads.end() }
            do {
                let records = try await store.records(of: left.union(left.compactMap(KnownCamera.scope(beside:))))
                let overtaken = reads.overtaken(left, since: turn)
                left.subtract(overtaken)
                settle(records.filter { !overtaken.contains($0.key) }, removed: left.subtracting(records.keys))
                reads.settle(left)
                left = overtaken
            } catch is CancellationError {
                return
            } catch {
                return logger.error("Settings could not be read", metadata: ["error": "\(error)"])
            }
        }
    }

    private func settle(_ records: [String: SettingsRecord], removed: Set<String> = []) {
        var changed: Set<PrinterID> = []
        for (scope, record) in records {
            guard let id = PrinterSettings.id(ofScope: scope) else { continue }
            let camera = records[KnownCamera.scope(of: id)].flatMap { KnownCamera($0.values) }
            if var printer = printers[id] {
                guard record != printer.record || camera != printer.camera else { continue }
                printer.camera = camera
                printer.settle(record)
                printers[id] = printer
            } else {
                printers[id] = Printer(id: id, record: record, camera: camera)
                sortedIDs = nil
            }
            changed.insert(id)
        }
        for scope in removed {
            guard let id = PrinterSettings.id(ofScope: scope), printers[id] != nil else { continue }
            printers[id] = nil
            sortedIDs = nil
            models[id] = nil
            storms[id] = nil
            memories[id] = nil
            changed.insert(id)
        }
        announce(changed)
    }

    private func announce(_ changed: Set<PrinterID>) {
        guard !changed.isEmpty else { return }
        for watcher in watchers { watcher.insert(changed) }
    }
}
