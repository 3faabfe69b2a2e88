import Foundation
import Logging
import MQTT
import Printers
import StoredSettings

/// Publishes pictures, one at a time and after everything else.
///
/// Pictures are not in the tree that each new session gets, because they are large. A picture of an earlier run stays until
/// its printer is removed.
actor SnapshotPublisher {
    /// How long to wait while other messages are waiting.
    private static let pause = Duration.milliseconds(250)
    private static let limitDuration = Duration.seconds(3_600)

    private let context: BridgeContext
    private let client: MQTTClient
    private let cache: SnapshotCache
    private let manifest: Manifest
    private let isRetained: Bool
    /// Whether nothing but pictures is left to publish.
    private let isIdle: @Sendable () async -> Bool

    /// The topics that the broker may hold, by printer.
    private var held: [String: Set<String>] = [:]
    /// The topics that the broker does not let this bridge clear; tried again in the next session.
    private var refused: Set<String> = []
    private var pending: Set<PrinterID> = []
    /// Whether to call ``leftovers()``, which reads the topics of all printers: since its last call a printer was removed, or a
    /// session began.
    private var mayHaveLeftovers = true
    /// The pictures with which a connection ended, by the time at which they were taken.
    private var fatal: [PrinterID: Date] = [:]
    /// The size of a picture that ended two connections, in bytes: larger ones are not published until the time is over.
    private var sizeLimit: (size: Int, until: ContinuousClock.Instant)?
    private let wakeup = Wakeup()

    init(
        _ context: BridgeContext,
        client: MQTTClient,
        cache: SnapshotCache,
        manifest: Manifest,
        isRetained: Bool,
        isIdle: @escaping @Sendable () async -> Bool
    ) {
        self.context = context
        self.client = client
        self.cache = cache
        self.manifest = manifest
        self.isRetained = isRetained
        self.isIdle = isIdle
    }

    private var topics: Topics { context.topics }

    func run() async throws {
        await withTaskGroup { group in
            group.addTask { for await event in self.client.events() { await self.handle(event) } }
            group.addTask { await self.context.registry.forEachChange { await self.forgetRemoved($0, $1) } }
            group.addTask { for await ids in self.cache.changes.values { await self.add(ids) } }
            for await _ in wakeup.signals {
                while await !catchUp(), !Task.isCancelled { try? await Task.sleep(for: Self.pause) }
            }
            group.cancelAll()
        }
    }

    /// Publishes and clears until nothing is left; false if other messages come first.
    private func catchUp() async -> Bool {
        while let id = pending.first {
            guard await isIdle() else { return false }
            pending.remove(id)
            await publish(id)
        }
        guard mayHaveLeftovers else { return true }
        mayHaveLeftovers = false
        if await clearLeftovers() { return true }
        mayHaveLeftovers = true
        return false
    }

    /// Clears the topics that ``leftovers()`` finds; false if other messages come first, or if the connection ended.
    private func clearLeftovers() async -> Bool {
        for (owner, topics) in await leftovers() {
            for topic in topics.sorted() {
                guard await isIdle() else { return false }
                do {
                    try await send([], on: topic, retain: true)
                    try? await remember(held[owner, default: []].subtracting([topic]), of: owner)
                } catch let error as MQTTError where error.isRefusal {
                    refused.insert(topic)
                    context.warnings.warn(.refused(self.topics.patterns(of: topic), error))
                } catch {
                    return false
                }
            }
        }
        return true
    }

    /// Clears what the store lists of printers that are gone.
    func review() {
        mayHaveLeftovers = true
        wakeup.signal()
    }

    /// Publishes the latest pictures again for readers that have just started, unless the broker retains them.
    func replay(evenIfRetained: Bool = false) { if evenIfRetained || !isRetained { add(cache.ids) } }

    private func add(_ ids: Set<PrinterID>) {
        pending.formUnion(ids)
        wakeup.signal()
    }

    /// The broker of a new session may have lost what it had.
    private func handle(_ event: MQTTConnectionEvent) {
        guard case .connected = event else { return }
        refused = []
        mayHaveLeftovers = true
        add(cache.ids)
    }

    private func forgetRemoved(_ ids: Set<PrinterID>, _ printers: [PrinterID: Printer]) {
        let removed = ids.filter { printers[$0] == nil }
        guard !removed.isEmpty else { return }
        for id in removed { cache.remove(id) }
        review()
    }

    private func publish(_ id: PrinterID) async {
        // Removed while its picture was decoded.
        guard await context.registry[id] != nil else { return cache.remove(id) }
        guard let snapshot = cache[id] else { return }
        if let sizeLimit, snapshot.jpeg.count >= sizeLimit.size, .now < sizeLimit.until { return }
        let (topic, time) = (topics.snapshot(id), topics.snapshotTime(id))
        do {
            if isRetained { try await remember([topic, time], of: id.description) }
            guard await context.registry[id] != nil else { return }
            try await send(snapshot.jpeg, on: topic)
            try await send(Array(snapshot.takenAt.iso8601.utf8), on: time)
        } catch let error as MQTTError where error.code == .connectionLost {
            learn(from: error, with: snapshot, of: id)
        } catch let error as MQTTError where error.code == .notConnected {
            // The next session begins with all pictures.
        } catch let error as MQTTError where error.isRefusal {
            context.warnings.warn(.refused(topics.patterns(of: topic), error))
        } catch {
            context.logger.warning("A picture was not published", metadata: ["printer": "\(id)", "error": "\(error)"])
        }
    }

    /// A broker of MQTT 3.1.1 that limits the size of packets closes the connection instead of refusing a picture.
    private func learn(from error: MQTTError, with snapshot: Snapshot, of id: PrinterID) {
        guard fatal.updateValue(snapshot.takenAt, forKey: id) == snapshot.takenAt else { return }
        sizeLimit = (snapshot.jpeg.count, .now + Self.limitDuration)
        context.warnings.warn(.refused(topics.patterns(of: topics.snapshot(id)), error))
    }

    /// What the broker holds of printers that are gone, under other names, or although pictures are not retained.
    private func leftovers() async -> [String: Set<String>] {
        let printers = Set(await context.registry.ids.map(\.description))
        // In a fleet, other bridges write lists as well.
        if let stored = try? manifest.load() { held = stored.mapValues(\.held) }
        return held.reduce(into: [:]) { leftovers, entry in
            let id = printers.contains(entry.key) && isRetained ? PrinterID(entry.key) : nil
            let kept = id.map { Set([topics.snapshot($0), topics.snapshotTime($0)]) } ?? []
            let gone = entry.value.subtracting(kept).subtracting(refused)
            if !gone.isEmpty { leftovers[entry.key] = gone }
        }
    }

    private func send(_ payload: [UInt8], on topic: String, retain: Bool? = nil) async throws {
        let message = MQTTMessage(
            topic: try MQTTTopic(topic),
            payload: payload,
            qos: .atLeastOnce,
            retain: retain ?? isRetained
        )
        _ = try await client.publish(message)
    }

    /// Stores topics before their messages are published, so that a later run can clear the topics of a killed run.
    private func remember(_ topics: Set<String>, of owner: String) async throws {
        guard held[owner] ?? [] != topics else { return }
        try await manifest.save([owner: Manifest.Entry(held: topics)])
        held[owner] = topics.isEmpty ? nil : topics
    }
}
