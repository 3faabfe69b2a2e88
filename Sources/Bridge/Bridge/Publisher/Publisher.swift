import Foundation
import Logging
import MQTT
import Printers

/// Renders what changed and publishes what differs, and nothing else.
///
/// A new session forgets what was published, and so replays everything; `online` comes last.
actor Publisher {
    /// The longest wait of a new session for ``endReplay(on:)``.
    static let replayTimeout = Duration.milliseconds(150)
    /// How long `offline` may take: a broker that does not answer must not keep the bridge from ending.
    private static let shutdownTimeout = Duration.seconds(2)
    /// Printers rendered and published together.
    private static let chunk = 100
    /// The owner of the bridge's own topics; no printer can be called so.
    static let bridge = "bridge"

    private let context: BridgeContext
    private let client: MQTTClient
    private let registry: PrinterRegistry
    private var rendering: RenderContext
    private let manifest: Manifest
    /// The store that the members of a fleet share; nil for a bridge that is alone.
    private let fleet: FleetStore?

    private(set) var info: BridgeInfo
    /// When Home Assistant said last that it has started.
    private(set) var homeAssistantHeardAt: Date?
    private var ledger = TopicLedger()
    private var pending: Set<String> = []
    private let delivery: Delivery
    private var session = SessionState()
    private var replayTimer: Task<Void, Never>?
    private var report: ConnectionReport
    /// Whether this run has published its `bridge/info`.
    private var hasPublished = false
    private var lastLoss: MQTTDisconnectReason.Code?
    /// Yields when the broker has the first topics, and when it is known to be unreachable.
    nonisolated let starts: AsyncStream<Void>
    private let started: AsyncStream<Void>.Continuation
    private let wakes: AsyncStream<Void>
    private let wake: AsyncStream<Void>.Continuation

    init(
        _ context: BridgeContext,
        client: MQTTClient,
        registry: PrinterRegistry,
        rendering: RenderContext,
        info: BridgeInfo,
        manifest: Manifest,
        fleet: FleetStore? = nil
    ) {
        self.context = context
        self.client = client
        self.registry = registry
        self.rendering = rendering
        self.info = info
        self.manifest = manifest
        self.fleet = fleet
        delivery = Delivery(client: client)
        report = ConnectionReport(broker: info.broker, advice: ConnectionAdvice(for: client.configuration))
        (wakes, wake) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
        (starts, started) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    /// Publishes until it is cancelled.
    func run() async throws {
        ledger = TopicLedger(earlier: try manifest.load())
        let changes = await registry.watch()
        let answers = delivery.answers
        await withTaskGroup { group in
            group.addTask { for await event in self.client.events() { await self.follow(event) } }
            group.addTask { for await _ in changes.wakes { await self.wakeUp() } }
            group.addTask { for await _ in self.context.outbox.wakes { await self.wakeUp() } }
            group.addTask { for await _ in self.context.warnings.wakes { await self.followWarnings() } }
            group.addTask { for await answers in answers { await self.settle(answers) } }
            for await _ in wakes where session.isOpen { await turn(changes) }
            group.cancelAll()
        }
    }

    /// Whether the broker has, or is getting, what is rendered.
    var isOnline: Bool { session.isOpen }

    /// Whether the broker has, but for a few messages, all that is rendered.
    var isIdle: Bool { session.isOpen && pending.isEmpty && delivery.unanswered < Self.chunk }

    /// Whether ``goOffline()`` was the last word.
    private(set) var hasLeft = false

    /// Says `offline`, as the last thing before the client disconnects.
    ///
    /// It is not waited for longer than two seconds; a slow broker may still get it while the client ends, or else publishes
    /// the will.
    func goOffline() async {
        // The last answers, such as that to a request to restart.
        let answers = session.isOpen ? context.outbox.take() : []
        session.close()
        hasLeft = true
        var words = [MQTTMessage(on: context.topics.bridgeAvailability, payload: "offline", retain: true)]
        if let ownership = fleet?.ownership {
            let member = MQTTMessage(on: context.topics.member(ownership.member), payload: [], retain: true)
            words = ownership.isLast ? [member] + words : [member]
        }
        await delivery.publishLast(answers + words.compactMap(\.self), within: Self.shutdownTimeout)
    }

    /// Publishes the answers that wait, before the bridge restarts.
    func flush() async {
        if session.isOpen { await delivery.publishLast(context.outbox.take(), within: Self.shutdownTimeout) }
    }

    /// Opens the session on a connection: the commands that the broker retained are applied.
    func endReplay(on connection: UInt64) {
        if session.open(on: connection) { wakeUp() }
    }

    /// Takes up that Home Assistant has started.
    func hearHomeAssistant() { homeAssistantHeardAt = Date() }

    /// Publishes everything again, for a subscriber that has just started.
    func replay() {
        ledger.forgetPublished()
        pending.formUnion(ledger.owners)
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
        if rendering.publishesFlatTopics != publishesFlatTopics {
            rendering.publishesFlatTopics = publishesFlatTopics
            pending.formUnion(await registry.ids.map(\.description))
        }
        wakeUp()
    }

    /// Takes the warnings that hold now up into `bridge/info`.
    private func followWarnings() {
        let warnings = context.warnings.list
        guard warnings != info.warnings else { return }
        info.warnings = warnings
        pending.insert(Self.bridge)
        wakeUp()
    }

    /// Takes up that another bridge uses the same base topic.
    func handle(_ signal: DuplicateBridgeSignal) {
        if signal == .replaced {
            // Before its first publish, this run finds what an earlier run left.
            if hasPublished, lastLoss == .connectionLost {
                context.warnings.warn(.sharedClientID(client.configuration.clientID))
            }
            return
        }
        // Before a session is open, everything is published anyway.
        guard session.isOpen else { return }
        switch signal {
        case .replaced: break
        case .present(let isWarned):
            context.warnings.warn(.sharedBase(context.topics.base))
            // The other bridge learns of this one in the same way; as soon as both know, both are quiet.
            if isWarned { return }
            ledger.forget(context.topics.bridgeInfo, of: TopicGroup(owner: Self.bridge, part: .info))
            pending.insert(Self.bridge)
            wakeUp()
        case .gone:
            context.warnings.resolve([.baseTopicInUse])
            // Republish everything: the other bridge overwrote our topics, `offline` last.
            replay()
        }
    }

    private func wakeUp() { wake.yield() }

    private func follow(_ event: MQTTConnectionEvent) async {
        if let line = report.line(for: event, at: .now) {
            context.logger.log(level: line.level, line.message, metadata: line.metadata)
        }
        switch event {
        case .connected(let connected):
            let printers = await registry.ids.map(\.description)
            session.begin(on: connected.number)
            context.counters.count(.sessions)
            context.warnings.resolve(BridgeWarning.Code.ofOneSession)
            ledger.beginSession(at: Date())
            pending.formUnion(ledger.owners.union(printers + [Self.bridge]))
            // In a task of its own: a wait here would delay the handling of a lost connection.
            replayTimer = Task {
                guard (try? await Task.sleep(for: Self.replayTimeout)) != nil else { return }
                endReplay(on: connected.number)
            }
        case .disconnected(let reason, _), .connectFailed(let reason, _):
            replayTimer?.cancel()
            session.end()
            started.yield()
            if case .disconnected = event { lastLoss = reason.code }
            for warning in BridgeWarning.warnings(of: reason) { context.warnings.warn(warning) }
        }
    }

    /// One update: however much changed since the last one, each topic is published once.
    private func turn(_ changes: ChangeSet<PrinterID>) async {
        let mine = session.number
        // Taken first: what was posted after a change is sent after it.
        let posts = context.outbox.takePosts()
        followWarnings()
        pending.formUnion(changes.take().map(\.description))
        let printers = await printers()
        if printers != info.printers {
            info.printers = printers
            pending.insert(Self.bridge)
        }
        let owners = pending.subtracting([Self.bridge]).sorted()
        for some in owners.chunks(of: Self.chunk) {
            await delivery.waitForRoom()
            await update(Array(some), session: mine)
        }
        if pending.contains(Self.bridge) {
            await update([Self.bridge], session: mine)
            hasPublished = true
        }
        for some in posts.chunks(of: Delivery.limit) {
            await delivery.waitForRoom()
            guard mine == session.number else { return context.outbox.putBack(Array(posts[some.startIndex...])) }
            delivery.publish(some.map(\.message), carrying: some.map { .post($0) }, in: mine)
        }
    }

    /// Renders what changed of some owners, and publishes what differs.
    private func update(_ owners: [String], session mine: Int) async {
        let printers = await registry.printers(Set(owners.compactMap { PrinterID($0) }))
        guard mine == session.number else { return }
        pending.subtract(owners)
        let owners = owners.filter(isMine)
        var work: [TopicLedger.Work] = []
        var grown: [String] = []
        for owner in owners {
            let update =
                owner == Self.bridge
                ? ledger.update(owner, info, in: rendering)
                : ledger.update(owner, PrinterID(owner).flatMap { printers[$0] }, in: rendering)
            work += update.work
            if update.isGrown { grown.append(owner) }
        }
        await saveManifest(of: grown)
        // A new session publishes all of it again.
        guard mine == session.number else { return }
        // Saving may take long in a fleet: another member may have the printers now.
        work.removeAll { !isMine($0.group.owner) }
        let time = Date()
        var ranks: [[TopicLedger.Work]] = [[], [], []]
        for work in work { ranks[rank(of: work)].append(work) }
        var messages: [MQTTMessage] = []
        var contents: [Delivery.Content] = []
        for work in ranks.joined() {
            do throws(MQTTError) {
                messages.append(try work.step.message(at: time))
                contents.append(.topic(work))
            } catch {
                ledger.settle(work, .refused, in: rendering, at: time)
                context.warnings.warn(.refused(work.step.topic, error))
            }
        }
        delivery.publish(messages, carrying: contents, in: mine)
    }

    /// Discovery comes first, so that states find their entities, and `online` last; the broker keeps the order.
    private func rank(of work: TopicLedger.Work) -> Int {
        switch work.group.part {
        case .device: 0
        case .info: work.step.topic == context.topics.bridgeAvailability ? 2 : 1
        case .earlier: work.step.topic.isTopic(below: context.topics.discoveryPrefix) ? 0 : 1
        case .settings, .stream, .health: 1
        }
    }

    private func saveManifest(of owners: [String]) async {
        guard !owners.isEmpty else { return }
        let entries = owners.map { ($0, ledger.entry(of: $0)) }
        do {
            try await manifest.save(Dictionary(uniqueKeysWithValues: entries))
        } catch {
            // A full disk must not silence the bridge; at worst a later run leaves a topic that it should have cleared.
            context.logger.error("The list of published topics could not be saved", metadata: ["error": "\(error)"])
        }
    }

    private func settle(_ answers: Delivery.Answers) async {
        delivery.settle(answers)
        if hasPublished, delivery.unanswered == 0 { started.yield() }
        context.outbox.putBack(answers.lostPosts)
        guard answers.session == session.number else { return }
        let time = Date()
        for (content, result) in zip(answers.contents, answers.results) {
            switch result {
            case .success:
                context.counters.count(.published)
                settle(content, .taken, at: time)
            case .failure(let error as MQTTError) where error.isRefusal:
                context.counters.count(.refused)
                settle(content, .refused, at: time)
                context.warnings.warn(.refused(content.topic, error))
            case .failure(let error):
                context.logger.debug("A message was not published", metadata: ["error": "\(error)"])
                settle(content, .none, at: time)
            }
        }
        await saveManifest(of: ledger.takeShrunk())
    }

    private func settle(_ content: Delivery.Content, _ answer: TopicLedger.Answer, at time: Date) {
        // In a fleet, answers may come after the printer was given to another member, whose list of topics it is now.
        guard case .topic(let work) = content, isMine(work.group.owner) else { return }
        ledger.settle(work, answer, in: rendering, at: time)
        guard answer == .none else { return }
        pending.insert(work.group.owner)
        wakeUp()
    }

    // MARK: Other bridges of a fleet

    /// Whether the topics of an owner are this bridge's to publish.
    private func isMine(_ owner: String) -> Bool { fleet?.ownership.owns(topicsOf: owner) ?? true }

    /// Publishes topics from now on that another bridge has published so far.
    func take(_ owners: [String]) {
        for owner in owners { ledger.adopt((try? manifest.load(of: owner)) ?? Manifest.Entry(), of: owner, at: Date()) }
        pending.formUnion(owners)
        wakeUp()
    }

    /// Renders the bridge's own topics again.
    func updateBridge() {
        pending.insert(Self.bridge)
        wakeUp()
    }

    /// The printers that `bridge/info` names; those of a whole fleet are counted only when it is rendered.
    private func printers() async -> [PrinterID] {
        guard let fleet else { return await registry.ids }
        return pending.contains(Self.bridge) && fleet.ownership.isLeader ? fleet.allPrinters : info.printers
    }

    /// Publishes what has changed of some owners, for the last time.
    func finish(_ owners: [String]) async {
        guard session.isOpen else { return }
        for some in owners.chunks(of: Self.chunk) { await update(Array(some), session: session.number) }
    }

    /// Leaves the topics of some owners as they are; when it returns, nothing of them is on its way.
    func release(_ owners: [String]) async {
        pending.subtract(owners)
        for owner in owners { ledger.release(owner) }
        await delivery.drain(within: Self.shutdownTimeout) { session.isOpen }
    }
}
