import Foundation
import Logging
import MQTT

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
    /// Messages that may be unanswered before more is rendered.
    private static let unansweredLimit = 1_000
    /// The owner of the bridge's own topics; no printer can be called so.
    static let bridge = "bridge"

    private let client: MQTTClient
    private let registry: PrinterRegistry
    private var context: RenderContext
    private let manifest: Manifest
    private let outbox: Outbox
    private let counters: BridgeCounters
    private let fleet: FleetMembership?
    private let logger: Logger

    private(set) var info: BridgeInfo
    /// When Home Assistant said last that it has started.
    private(set) var homeAssistantHeardAt: Date?
    private var ledger = TopicLedger()
    private var pending: Set<String> = []
    private var session = SessionState()
    private var replayTimer: Task<Void, Never>?
    private var report: ConnectionReport
    /// Whether this run has published its `bridge/info`.
    private var hasPublished = false
    private var lastLoss: MQTTDisconnectReason.Code?
    /// Messages that the broker has not answered.
    private var unanswered = 0
    /// Messages that were handed to the client in all.
    private var handed = 0
    private var roomWaiter: CheckedContinuation<Void, Never>?
    /// Yields when the broker has the first topics, and when it is known to be unreachable.
    nonisolated let starts: AsyncStream<Void>
    private let started: AsyncStream<Void>.Continuation
    private let answers: AsyncStream<Answers>
    private let answered: AsyncStream<Answers>.Continuation
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
        fleet: FleetMembership? = nil,
        logger: Logger
    ) {
        self.client = client
        self.registry = registry
        self.context = context
        self.info = info
        self.manifest = manifest
        self.outbox = outbox
        self.counters = counters
        self.fleet = fleet
        report = ConnectionReport(broker: info.broker, advice: ConnectionAdvice(for: client.configuration))
        self.logger = logger
        (wakes, wake) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
        (answers, answered) = AsyncStream.makeStream()
        (starts, started) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    /// Publishes until it is cancelled.
    func run() async throws {
        ledger = TopicLedger(earlier: try manifest.load())
        let changes = await registry.watch()
        await withTaskGroup { group in
            group.addTask { for await event in self.client.events() { await self.follow(event) } }
            group.addTask { for await _ in changes.wakes { await self.wakeUp() } }
            group.addTask { for await _ in self.outbox.wakes { await self.wakeUp() } }
            group.addTask { for await answers in self.answers { await self.settle(answers) } }
            for await _ in wakes where session.isOpen { await turn(changes) }
            group.cancelAll()
        }
    }

    /// Whether the broker has, or is getting, what is rendered.
    var isOnline: Bool { session.isOpen }

    /// Whether the broker has, but for a few messages, all that is rendered.
    var isIdle: Bool { session.isOpen && pending.isEmpty && unanswered < Self.chunk }

    /// Whether ``goOffline()`` was the last word.
    private(set) var hasLeft = false

    /// Says `offline`, as the last thing before the client disconnects.
    ///
    /// It is not waited for longer than two seconds; a slow broker may still get it while the client ends, or else publishes
    /// the will.
    func goOffline() async {
        // The last answers, such as that to a request to restart.
        let answers = session.isOpen ? outbox.take() : []
        session.close()
        hasLeft = true
        let words =
            fleet?.lastMessages ?? [
                MQTTMessage(on: context.topics.bridgeAvailability, payload: "offline", retain: true)
            ]
        let (end, ended) = AsyncStream<Void>.makeStream()
        client.publish(answers + words.compactMap(\.self)) { _ in ended.finish() }
        await withTaskGroup { group in
            group.addTask { for await _ in end {} }
            group.addTask { try? await Task.sleep(for: Self.shutdownTimeout) }
            await group.next()
            group.cancelAll()
        }
    }

    /// Publishes the answers that wait, before the bridge restarts.
    func flush() async {
        guard session.isOpen else { return }
        let messages = outbox.take()
        await withCheckedContinuation { waiter in client.publish(messages) { _ in waiter.resume() } }
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

    /// Puts other warnings in place of those of a kind; logs the new ones only.
    func replaceWarnings(_ code: BridgeWarning.Code, with warnings: [BridgeWarning]) {
        let before = info.warnings.sorted
        info.warnings.replace(code, with: warnings)
        for warning in info.warnings.sorted where !before.contains(warning) {
            logger.warning("\(warning.message)", metadata: ["code": "\(warning.code.rawValue)"])
        }
        guard info.warnings.sorted != before else { return }
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
            ledger.forget(context.topics.bridgeInfo, of: TopicGroup(owner: Self.bridge, part: .info))
            pending.insert(Self.bridge)
            wakeUp()
        case .gone:
            info.warnings.remove([.baseTopicInUse])
            // Republish everything: the other bridge overwrote our topics, `offline` last.
            replay()
        }
    }

    private func wakeUp() { wake.yield() }

    private func follow(_ event: MQTTConnectionEvent) async {
        if let line = report.line(for: event, at: .now) {
            logger.log(level: line.level, line.message, metadata: line.metadata)
        }
        switch event {
        case .connected(let connected):
            let printers = await registry.ids.map(\.description)
            session.begin(on: connected.number)
            counters.count(.sessions)
            info.warnings.remove(BridgeWarning.Code.ofOneSession)
            ledger.forgetPublished()
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
            for warning in BridgeWarning.warnings(of: reason) { warn(warning) }
        }
    }

    /// One update: however much changed since the last one, each topic is published once.
    private func turn(_ changes: ChangeSet<PrinterID>) async {
        let mine = session.number
        // Taken first: what was posted after a change is sent after it.
        let posts = outbox.takePosts()
        pending.formUnion(changes.take().map(\.description))
        let printers = await printers()
        if printers != info.printers {
            info.printers = printers
            pending.insert(Self.bridge)
        }
        let owners = pending.subtracting([Self.bridge]).sorted()
        for some in owners.chunks(of: Self.chunk) {
            await waitForRoom()
            await update(Array(some), session: mine)
        }
        if pending.contains(Self.bridge) {
            await update([Self.bridge], session: mine)
            hasPublished = true
        }
        var left = posts[...]
        while !left.isEmpty {
            await waitForRoom()
            guard mine == session.number else { return outbox.putBack(Array(left)) }
            let some = Array(left.prefix(Self.unansweredLimit))
            publish(some.map { ($0.message, nil) }, posts: some)
            left = left.dropFirst(some.count)
        }
    }

    /// Renders what changed of some owners, and publishes what differs.
    private func update(_ owners: [String], session mine: Int) async {
        let printers = await registry.printers(Set(owners.compactMap { PrinterID($0) }))
        guard mine == session.number else { return }
        pending.subtract(owners)
        let owners = owners.filter { fleet?.ownership.owns(topicsOf: $0) ?? true }
        var work: [TopicLedger.Work] = []
        var grown: [String] = []
        for owner in owners {
            let update =
                owner == Self.bridge
                ? ledger.update(owner, info, in: context)
                : ledger.update(owner, PrinterID(owner).flatMap { printers[$0] }, in: context)
            work += update.work
            if update.isGrown { grown.append(owner) }
        }
        await saveManifest(of: grown)
        // A new session publishes all of it again.
        guard mine == session.number else { return }
        // Saving may take long in a fleet: another member may have the printers now.
        work.removeAll { !(fleet?.ownership.owns(topicsOf: $0.group.owner) ?? true) }
        let time = Date()
        var ranks: [[TopicLedger.Work]] = [[], [], []]
        for work in work { ranks[rank(of: work)].append(work) }
        publish(
            ranks.joined().compactMap { work in
                do throws(MQTTError) { return (try work.step.message(at: time), work) } catch {
                    ledger.settle(work, .refused)
                    warn(.refused(work.step.topic, error))
                    return nil
                }
            }
        )
    }

    /// Discovery comes first, so that states find their entities, and `online` last; the broker keeps the order.
    private func rank(of work: TopicLedger.Work) -> Int {
        switch work.group.part {
        case .device: 0
        case .info: work.step.topic == context.topics.bridgeAvailability ? 2 : 1
        case .earlier: work.step.topic.hasPrefix(context.topics.discoveryPrefix + "/") ? 0 : 1
        case .settings, .stream, .health: 1
        }
    }

    private func saveManifest(of owners: [String]) async {
        guard !owners.isEmpty else { return }
        let topics = owners.map { ($0, ledger.topics(of: $0)) }
        do {
            try await manifest.save(Dictionary(uniqueKeysWithValues: topics))
        } catch {
            // A full disk must not silence the bridge; at worst a later run leaves a topic that it should have cleared.
            logger.error("The list of published topics could not be saved", metadata: ["error": "\(error)"])
        }
    }

    // MARK: Other bridges of a fleet

    /// Publishes topics from now on that another bridge has published so far.
    func take(_ owners: [String]) {
        for owner in owners { ledger.adopt((try? manifest.load(of: owner)) ?? [], of: owner) }
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
        return pending.contains(Self.bridge) && fleet.ownership.isLeader ? fleet.printers() : info.printers
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
        let last = handed
        let end = ContinuousClock.now + Self.shutdownTimeout
        // The broker answers in order, so wait for the last message. Stop waiting after the timeout.
        while session.isOpen, handed - unanswered < last, ContinuousClock.now < end {
            guard (try? await Task.sleep(for: .milliseconds(2))) != nil else { return }
        }
    }

    // MARK: Messages on their way

    /// Messages that were handed to the client together, and what was said of each.
    private struct Answers: Sendable {
        var topics: [String]
        /// Nil for answers and events.
        var work: [TopicLedger.Work?]
        /// The answers and events, if it is them.
        var posts: [Outbox.Post]
        var results: [Result<MQTTPublishAcknowledgement, any Error>]
        var session: Int
    }

    /// Hands messages to the client, and does not wait for the broker.
    private func publish(
        _ messages: [(message: MQTTMessage, work: TopicLedger.Work?)],
        posts: [Outbox.Post] = []
    ) {
        guard !messages.isEmpty else { return }
        unanswered += messages.count
        handed += messages.count
        let (topics, work, session) = (messages.map(\.message.topic.name), messages.map(\.work), session.number)
        client.publish(messages.map(\.message)) { [answered] results in
            answered.yield(Answers(topics: topics, work: work, posts: posts, results: results, session: session))
        }
    }

    private func settle(_ answers: Answers) async {
        unanswered -= answers.results.count
        if hasPublished, unanswered == 0 { started.yield() }
        if unanswered < Self.unansweredLimit { endWaitForRoom() }
        outbox.putBack(zip(answers.posts, answers.results).filter { $1.isLost }.map(\.0))
        guard answers.session == session.number else { return }
        for (index, result) in answers.results.enumerated() {
            let work = answers.work[index]
            switch result {
            case .success:
                counters.count(.published)
                if let work { ledger.settle(work, .taken) }
            case .failure(let error as MQTTError) where error.isRefusal:
                counters.count(.refused)
                if let work { ledger.settle(work, .refused) }
                warn(.refused(answers.topics[index], error))
            case .failure(let error):
                logger.debug("A message was not published", metadata: ["error": "\(error)"])
                guard let work else { continue }
                ledger.settle(work, .none)
                pending.insert(work.group.owner)
                wakeUp()
            }
        }
        await saveManifest(of: ledger.takeShrunk())
    }

    /// Waits while the broker is slower than rendering is.
    private func waitForRoom() async {
        guard unanswered >= Self.unansweredLimit else { return }
        await withTaskCancellationHandler {
            await withCheckedContinuation { waiter in
                // The handler may have run before there was a waiter.
                if Task.isCancelled { waiter.resume() } else { roomWaiter = waiter }
            }
        } onCancel: {
            Task { await self.endWaitForRoom() }
        }
    }

    private func endWaitForRoom() {
        roomWaiter?.resume()
        roomWaiter = nil
    }
}

extension Result<MQTTPublishAcknowledgement, any Error> {
    /// Whether the message was not sent, or the connection ended before the broker answered: then perhaps the broker has it.
    fileprivate var isLost: Bool {
        guard case .failure(let error as MQTTError) = self else { return false }
        return [.connectionLost, .notConnected, .queueFull].contains(error.code)
    }
}
