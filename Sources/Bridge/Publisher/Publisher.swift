import Foundation
import Logging
import MQTT

/// Renders what changed and publishes what differs, and nothing else.
///
/// A new session forgets what was published, and so replays everything; `online` comes last.
actor Publisher {
    /// How long a new session waits for the retained wishes that the broker replays, before the first publish.
    static let settling = Duration.milliseconds(150)
    /// How long the last words may take: a broker that does not answer must not keep the bridge from ending.
    private static let farewell = Duration.seconds(2)
    /// Printers rendered and published together.
    private static let chunk = 100
    /// The owner of the bridge's own topics; no printer can be called so.
    private static let bridge = "bridge"

    private let client: MQTTClient
    private let registry: PrinterRegistry
    private var context: RenderContext
    private let manifest: Manifest
    private let outbox: Outbox
    private let counters: BridgeCounters
    private let sender: Sender
    private let logger: Logger

    private var info: BridgeInfo
    private var reconciler = Reconciler<TopicGroup>()
    /// The inputs of the parts that the broker has as they are.
    private var published: [TopicGroup: Int] = [:]
    private var pending: Set<String> = []
    /// Those whose manifest holds nothing any more that only earlier runs published.
    private var tidied: Set<String> = []
    private var session = SessionState()
    private var report: ConnectionReport
    /// Whether this run has published its `bridge/info`.
    private var hasPublished = false
    private var lastLoss: MQTTDisconnectReason.Code?
    private let wakes: AsyncStream<Void>
    private let wake: AsyncStream<Void>.Continuation

    init(
        client: MQTTClient,
        registry: PrinterRegistry,
        context: RenderContext,
        info: BridgeInfo,
        manifest: Manifest,
        outbox: Outbox,
        counters: BridgeCounters,
        logger: Logger
    ) {
        self.client = client
        self.registry = registry
        self.context = context
        self.info = info
        self.manifest = manifest
        self.outbox = outbox
        self.counters = counters
        sender = Sender(client: client, counters: counters)
        report = ConnectionReport(broker: info.broker, advice: ConnectionAdvice(for: client.configuration))
        self.logger = logger
        (wakes, wake) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    /// Publishes until it is cancelled.
    func run() async throws {
        let earlier = try manifest.load().map { (TopicGroup(owner: $0.key, part: .earlier), $0.value) }
        reconciler = Reconciler(manifest: Dictionary(uniqueKeysWithValues: earlier))
        let changes = await registry.watch()
        await withTaskGroup { group in
            group.addTask { for await event in self.client.events() { await self.follow(event) } }
            group.addTask { for await _ in changes.wakes { await self.wakeUp() } }
            group.addTask { for await _ in self.outbox.wakes { await self.wakeUp() } }
            for await _ in wakes where session.isOpen { await turn(changes) }
            group.cancelAll()
        }
    }

    /// Whether the broker has, or is getting, what is rendered.
    var isOnline: Bool { session.isOpen }

    /// Whether ``goOffline()`` was the last word.
    private(set) var hasLeft = false

    /// Says `offline`, as the last thing before the client disconnects; without an answer it gives up.
    func goOffline() async {
        await withTaskGroup { group in
            group.addTask { await self.sayLastWords() }
            group.addTask { try? await Task.sleep(for: Self.farewell) }
            await group.next()
            group.cancelAll()
        }
    }

    private func sayLastWords() async {
        // What was answered last was answered by one who then went, as after a request to restart.
        if session.isOpen { try? await send(outbox.take()) }
        session.close()
        hasLeft = true
        let message = MQTTMessage(on: context.topics.bridgeAvailability, payload: "offline", retain: true)
        if let message { _ = try? await client.publish(message) }
    }

    /// Publishes the answers that wait, before the bridge restarts.
    func flush() async {
        if session.isOpen { try? await send(outbox.take()) }
    }

    /// Publishes everything again: somebody who needs it has just started.
    func replay() {
        forgetPublished()
        pending.formUnion(reconciler.owners.map(\.owner))
        wakeUp()
    }

    /// Takes up how the bridge does.
    func report(_ health: BridgeHealth) {
        info.health = health
        pending.insert(Self.bridge)
        wakeUp()
    }

    /// Takes up what was changed of the bridge.
    func follow(logLevel: LogLevel, publishesFlatTopics: Bool) async {
        info.logLevel = logLevel
        pending.insert(Self.bridge)
        if context.publishesFlatTopics != publishesFlatTopics {
            context.publishesFlatTopics = publishesFlatTopics
            pending.formUnion(await registry.ids.map(\.description))
        }
        wakeUp()
    }

    /// Takes a warning up into `bridge/info`.
    func warn(_ warning: BridgeWarning) {
        guard info.warnings.insert(warning) else { return }
        logger.warning("\(warning.message)", metadata: ["code": "\(warning.code.rawValue)"])
        pending.insert(Self.bridge)
        wakeUp()
    }

    /// What warnings of a kind were about is over.
    func resolve(_ code: BridgeWarning.Code) {
        guard info.warnings.sorted.contains(where: { $0.code == code }) else { return }
        info.warnings.remove([code])
        pending.insert(Self.bridge)
        wakeUp()
    }

    /// Takes up that another bridge uses the same base topic.
    func handle(_ signal: DuplicateBridgeSignal) {
        if signal == .replaced {
            // Before its first publish, this run finds what an earlier run left.
            if hasPublished, lastLoss == .connectionLost { warn(.sharedClientID(client.configuration.clientID)) }
            return
        }
        // Before a session is open, everything is published anyway.
        guard session.isOpen else { return }
        switch signal {
        case .replaced: break
        case .present(let isWarned):
            warn(.sharedBase(context.topics.base))
            // The other bridge learns of this one in the same way; as soon as both know, both are quiet.
            if isWarned { return }
            published[TopicGroup(owner: Self.bridge, part: .info)] = nil
            reconciler.forget(context.topics.bridgeInfo, of: TopicGroup(owner: Self.bridge, part: .info))
            pending.insert(Self.bridge)
            wakeUp()
        case .gone:
            info.warnings.remove([.baseTopicInUse])
            // Republish everything: the other bridge overwrote our topics, `offline` last.
            replay()
        }
    }

    private func wakeUp() { wake.yield() }

    /// What the broker has is not known any more.
    private func forgetPublished() {
        reconciler.forgetPublished()
        published = [:]
    }

    private func follow(_ event: MQTTConnectionEvent) async {
        if let line = report.line(for: event, at: .now) {
            logger.log(level: line.level, line.message, metadata: line.metadata)
        }
        switch event {
        case .connected:
            let mine = session.begin()
            counters.count(.sessions)
            info.warnings.remove(BridgeWarning.Code.ofOneSession)
            forgetPublished()
            let printers = await registry.ids.map(\.description)
            pending.formUnion(reconciler.owners.map(\.owner) + printers + [Self.bridge])
            try? await Task.sleep(for: Self.settling)
            if session.open(mine) { wakeUp() }
        case .disconnected(let reason, _), .connectFailed(let reason, _):
            session.end()
            if case .disconnected = event { lastLoss = reason.code }
            for warning in BridgeWarning.warnings(of: reason) { warn(warning) }
        }
    }

    /// One update: however much changed since the last one, each topic is published once.
    private func turn(_ changes: ChangeSet<PrinterID>) async {
        let mine = session.number
        // Taken first: what was posted after a change is sent after it.
        let posts = outbox.take()
        pending.formUnion(changes.take().map(\.description))
        let printers = await registry.ids
        if printers != info.printers {
            info.printers = printers
            pending.insert(Self.bridge)
        }
        do {
            let owners = pending.subtracting([Self.bridge]).sorted()
            for start in stride(from: 0, to: owners.count, by: Self.chunk) {
                try await update(Array(owners[start..<min(start + Self.chunk, owners.count)]), session: mine)
            }
            if pending.contains(Self.bridge) {
                try await update([Self.bridge], session: mine)
                hasPublished = true
            }
            try await send(posts)
        } catch {
            // A new session publishes all of it again; answers and events that nobody heard are lost with the connection.
            logger.debug("The update was cut short", metadata: ["error": "\(error)"])
        }
    }

    private func update(_ owners: [String], session mine: Int) async throws {
        let (work, inputs) = steps(await render(owners))
        guard mine == session.number else { return }
        pending.subtract(owners)
        let before = manifests(of: owners)
        for (group, step) in work { reconciler.begin(step, for: group) }
        await keepManifest(of: owners, ifNot: before)
        let begun = manifests(of: owners)
        do {
            for rank in 0...2 {
                try await carryOut(work.filter { self.rank($0.step) == rank }, session: mine)
            }
        } catch {
            pending.formUnion(owners)
            throw error
        }
        // A topic that was forgotten meanwhile is rendered again.
        for (group, inputs) in inputs { published[group] = reconciler.isSettled(group) ? inputs : nil }
        let manifest = manifests(of: owners)
        // A topic less is written down once, for what earlier runs left, and at the end: topics that come and go with each
        // probe must not wear out the disk. One too many costs no more than a clearing at the next start.
        await keepManifest(of: owners.filter { manifest[$0] == [] || !tidied.contains($0) }, ifNot: begun)
        tidied.formUnion(owners)
        tidied.subtract(owners.filter { manifest[$0] == [] })
    }

    /// A part that is rendered; an owner who is gone has empty ones.
    private typealias Rendered = (group: TopicGroup, inputs: Int?, tree: TopicTree)

    /// Renders the parts whose inputs changed.
    private func render(_ owners: [String]) async -> [Rendered] {
        let printers = await registry.printers(Set(owners.compactMap { PrinterID($0) }))
        return owners.flatMap { owner -> [Rendered] in
            let printer = PrinterID(owner).flatMap { printers[$0] }
            let parts = owner == Self.bridge ? TopicPart.ofBridge : TopicPart.ofPrinters
            // What an earlier run published is compared with everything.
            let isFirst = !reconciler.manifest(of: TopicGroup(owner: owner, part: .earlier)).isEmpty
            return parts.compactMap { part in
                let group = TopicGroup(owner: owner, part: part)
                guard owner == Self.bridge || printer != nil else { return (group, nil, [:]) }
                let inputs = printer?.inputs(of: part, in: context) ?? info.inputs(of: part, in: context)
                guard isFirst || published[group] != inputs else { return nil }
                let tree = printer.map { Bridge.render(part, of: $0, in: context) }
                return (group, inputs, tree ?? Bridge.render(part, of: info, in: context))
            }
        }
    }

    /// The publications that bring the broker up to date, and the inputs that each group was rendered from.
    private func steps(_ rendered: [Rendered]) -> (work: [Work], inputs: [TopicGroup: Int?]) {
        var work: [Work] = []
        var inputs: [TopicGroup: Int?] = [:]
        for (owner, parts) in Dictionary(grouping: rendered, by: \.group.owner) {
            let earlier = TopicGroup(owner: owner, part: .earlier)
            let topics = Set(parts.flatMap(\.tree.keys))
            // A retained command that stayed on the broker would bring a removed printer back.
            if topics.isEmpty, let id = PrinterID(owner), parts.count == TopicPart.ofPrinters.count {
                let hasAny = !manifests(of: [owner]).values.joined().isEmpty
                if hasAny { reconciler.adopt(context.topics.configSet(id), of: earlier) }
            }
            reconciler.handOver(topics, from: earlier)
            work += reconciler.steps(for: earlier, tree: [:]).map { (earlier, $0) }
            for part in parts {
                work += reconciler.steps(for: part.group, tree: part.tree).map { (part.group, $0) }
                inputs.updateValue(part.inputs, forKey: part.group)
            }
        }
        return (work, inputs)
    }

    /// The topics that the broker may hold for each owner.
    private func manifests(of owners: [String]) -> [String: Set<String>] {
        let parts = Set(TopicPart.ofPrinters + TopicPart.ofBridge + [.earlier])
        return Dictionary(
            uniqueKeysWithValues: owners.map { owner in
                (owner, parts.reduce(into: []) { $0.formUnion(reconciler.manifest(of: .init(owner: owner, part: $1))) })
            }
        )
    }

    /// Discovery first, so that states find their entities; `online` last.
    private func rank(_ step: Reconciler<TopicGroup>.Step) -> Int {
        if step.topic == context.topics.bridgeAvailability { return 2 }
        return step.topic.hasPrefix(context.topics.discoveryPrefix + "/") ? 0 : 1
    }

    private func keepManifest(of owners: [String], ifNot known: [String: Set<String>]) async {
        let changed = manifests(of: owners).filter { $0.value != known[$0.key] }
        guard !changed.isEmpty else { return }
        do {
            try await manifest.save(changed)
        } catch {
            // A full disk must not silence the bridge; at worst a later run leaves a topic that it should have cleared.
            logger.error("The list of published topics could not be saved", metadata: ["error": "\(error)"])
        }
    }

    private typealias Work = (group: TopicGroup, step: Reconciler<TopicGroup>.Step)

    private func carryOut(_ work: [Work], session mine: Int) async throws {
        let time = Date()
        let messages = work.map { item in Result { () throws(MQTTError) in try item.step.message(at: time) } }
        try await sender.send(messages) { index, refusal in
            guard mine == self.session.number else { return }
            let (group, step) = work[index]
            guard let refusal else { return self.reconciler.acknowledge(step, for: group) }
            self.reconciler.refuse(step, for: group)
            self.refused(step.topic, refusal)
        }
    }

    private func send(_ posts: [MQTTMessage]) async throws {
        try await sender.send(posts.map { .success($0) }) { index, refusal in
            if let refusal { self.refused(posts[index].topic.name, refusal) }
        }
    }

    private func refused(_ topic: String, _ error: MQTTError) {
        warn(BridgeWarning(.publishRefused, "The broker refused \(topic): \(error.message) Check its ACL and limits"))
    }
}
