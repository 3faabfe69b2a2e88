import Concurrency
import Foundation
import Logging
import MQTT
import Platform
import Printers
import StoredSettings

/// Renders what changed and publishes what differs, and nothing else.
///
/// A new session forgets what was published, and so replays everything; `online` comes last.
actor Publisher {
    /// The longest wait of a new session for ``endReplay(on:)``.
    static let replayTimeout = Duration.milliseconds(150)
    /// How long `offline` may take: a broker that does not answer must not keep the bridge from ending.
    private static let shutdownTimeout = Duration.seconds(2)
    /// Printers rendered and published together.
    static let chunk = 100

    let context: BridgeContext
    private let client: MQTTClient
    private var rendering: RenderContext
    private let configuredAddresses: ViewerAddresses
    private let hasClientIDOfStore: Bool
    let manifest: Manifest

    private(set) var info: BridgeInfo
    var publishedTopics = PublishedTopics()
    private var printers: [PrinterID] = []
    private var pending: Set<TopicOwner> = []
    /// The owners whose list of topics is not saved.
    var unsaved: Set<TopicOwner> = []
    /// Whether the store did not take a list last time: then publishing does not wait for it.
    var isStoreFailing = false
    private let delivery: Delivery
    /// The topics for which the bridge lacks a right at the broker, in this session: of each pattern the latest.
    ///
    /// Posts and pictures have no owner: they cannot be published again.
    private var refused: [String: (name: String, owner: TopicOwner?)] = [:]
    private var session = SessionState()
    private var replayTimer: Task<Void, Never>?
    private var report: ConnectionReport
    private var hasPublished = false
    private var lastLoss: MQTTDisconnectReason.Code?
    /// Signals that the broker has the first topics, or that it is unreachable.
    nonisolated let started = Wakeup()
    nonisolated let retainsPictures: Bool

    init(
        _ context: BridgeContext,
        client: MQTTClient,
        rendering: RenderContext,
        info: BridgeInfo,
        manifest: Manifest,
        hasClientIDOfStore: Bool = false
    ) {
        self.context = context
        self.client = client
        self.rendering = rendering
        configuredAddresses = rendering.viewerAddresses
        retainsPictures = rendering.retainsPictures
        self.info = info
        self.manifest = manifest
        self.hasClientIDOfStore = hasClientIDOfStore
        delivery = Delivery(client: client)
        report = ConnectionReport(client.configuration)
    }

    func run() async throws {
        publishedTopics = PublishedTopics(earlier: try manifest.load())
        let watcher = context.registry.watch(waking: context.wakeup)
        let answers = delivery.answers
        await withTaskGroup { group in
            group.addTask { for await event in self.client.events() { await self.handle(event) } }
            group.addTask { while let news = await answers.next() { for some in news { await self.handle(some) } } }
            while await context.wakeup.next() {
                updateWarnings()
                if session.isOpen { await publish(watcher) }
            }
            group.cancelAll()
        }
    }

    var isOnline: Bool { session.isOpen }

    /// Whether pictures may be published: the broker has nearly all that is rendered.
    var isIdle: Bool {
        session.isOpen && pending.isEmpty && delivery.unanswered < Self.chunk && context.isActive
    }

    /// Publishes the last answers and `offline` before the client disconnects.
    ///
    /// Waits two seconds at most. A slower broker gets the messages while the client ends, or publishes the will.
    func goOffline() async {
        session.close()
        let answers = context.outbox.close { [client] in client.publishLate($0) }
        let answered = Wakeup()
        client.publishLate(answers, context.lastMessages) { answered.signal() }
        try? await withTimeLimit(Self.shutdownTimeout, or: CancellationError()) { _ = await answered.next() }
        // A shared store may take long to fail again.
        if context.owned == nil { await saveLists() }
    }

    /// Opens the session on a connection: the commands that the broker retained are applied.
    func endReplay(on connection: UInt64) {
        if session.open(on: connection) { context.wakeup.signal() }
    }

    /// Publishes everything again: a subscriber has just started, or the bridge has been given a right.
    func replay() {
        publishedTopics.forgetPublished()
        review(publishedTopics.owners)
    }

    func review(_ owners: some Sequence<TopicOwner>) {
        pending.formUnion(owners)
        context.wakeup.signal()
    }

    /// Publishes the bridge's health, and sees to what failed before: once a minute.
    func report(_ health: BridgeHealth) async {
        info.health = health
        if session.isSteady(at: .now) { context.warnings.resolve([.clientIDInUse]) }
        // A person may have given the right meanwhile.
        for (name, owner) in refused.values { if let owner { publishedTopics.forget(name, of: owner) } }
        review(refused.values.compactMap(\.owner) + [.bridge])
        await saveLists()
    }

    func apply(logLevel: Logger.Level, publishesFlatTopics: Bool) {
        info.logLevel = logLevel
        if rendering.publishesFlatTopics != publishesFlatTopics {
            rendering.publishesFlatTopics = publishesFlatTopics
            pending.formUnion(context.registry.ids.map(TopicOwner.init))
        }
        review([.bridge])
    }

    private func updateWarnings() {
        let warnings = context.warnings.list
        guard warnings != info.warnings else { return }
        info.warnings = warnings
        let addresses = configuredAddresses.without(warnings)
        if addresses != rendering.viewerAddresses {
            rendering.viewerAddresses = addresses
            pending.formUnion(context.registry.ids.map(TopicOwner.init))
        }
        pending.insert(.bridge)
    }

    func handle(_ signal: DuplicateBridgeSignal) {
        switch signal {
        // Before its first publish, this run finds what an earlier run left.
        case .replaced(let other) where hasPublished && lastLoss == .connectionLost:
            let warning = BridgeWarning.sharedClientID("Another bridge, \(other),", isOfStore: hasClientIDOfStore)
            context.warnings.replace(.clientIDInUse, with: [warning])
        case .present(let isWarned, let other) where session.isOpen:
            context.warnings.warn(.sharedBase(context.topics.base, with: other))
            // The other bridge learns of this one in the same way; as soon as both know, both are quiet.
            if isWarned { return }
            publishedTopics.forget(context.topics.bridgeInfo, of: .bridge)
            review([.bridge])
        case .gone where session.isOpen:
            context.warnings.resolve([.baseTopicInUse])
            // Republish everything: the other bridge overwrote our topics, `offline` last.
            replay()
        // A session that opens later publishes everything anyway.
        case .replaced, .present, .gone, .emptied: break
        }
    }

    private func handle(_ event: MQTTConnectionEvent) async {
        if let line = report.line(for: event, at: .now) {
            context.logger.log(level: line.level, line.message, metadata: line.metadata)
        }
        switch event {
        case .connected(let connected):
            let printers = context.registry.ids.map(TopicOwner.init)
            session.begin(on: connected.number, at: .now)
            context.connectionProblem.value = nil
            context.counters.count(.sessions)
            refused = [:]
            context.warnings.resolve(BridgeWarning.Code.ofOneSession)
            if let unfit = BridgeWarning.unfitness(of: connected) { context.warnings.warn(unfit) }
            publishedTopics.beginSession(at: Date())
            pending.formUnion(publishedTopics.owners.union(printers + [.bridge]))
            // In a task of its own: a wait here would delay the handling of a lost connection.
            replayTimer = Task {
                guard (try? await Task.sleep(for: Self.replayTimeout)) != nil else { return }
                endReplay(on: connected.number)
            }
        case .disconnected(let reason, _), .connectFailed(let reason, _):
            replayTimer?.cancel()
            session.end()
            context.connectionProblem.value = client.configuration.explanation(of: reason)
            started.signal()
            if case .disconnected = event { lastLoss = reason.code }
            for warning in BridgeWarning.warnings(of: reason, isOfStore: hasClientIDOfStore) {
                context.warnings.warn(warning)
            }
        }
    }

    /// Publishes each topic that differs once, however often it has changed since the last call; then answers and events.
    private func publish(_ watcher: PrinterWatcher) async {
        let mine = session.number
        // Later posts wait: a post that follows a change is sent after the change.
        let last = context.outbox.last
        pending.formUnion(watcher.news.take().map(TopicOwner.init))
        let ids = context.registry.ids
        if ids != printers {
            printers = ids
            pending.insert(.bridge)
        }
        let owners = pending.subtracting([.bridge]).sorted()
        for some in owners.chunks(of: Self.chunk) {
            await delivery.waitForRoom()
            await update(Array(some), session: mine)
        }
        if pending.contains(.bridge) {
            await update([.bridge], session: mine)
            hasPublished = true
        }
        repeat {
            await delivery.waitForRoom()
            guard mine == session.number else { return }
            let posts = context.outbox.take(Delivery.limit, upTo: last)
            if posts.isEmpty { return }
            delivery.publish(posts.map(\.message), carrying: posts.map { .post($0) }, in: mine)
        } while !Task.isCancelled
    }

    private func update(_ owners: [TopicOwner], session mine: Int) async {
        let named = owners.contains(.bridge) ? context.namedPrinters : nil
        pending.subtract(owners)
        if let named { info.printers = named }
        var steps: [TopicStep] = []
        var grown: Set<TopicOwner> = []
        for owner in owners {
            let printer = owner.printer.flatMap { context.registry[$0] }
            let source: (any TopicSource)? = owner == .bridge ? named.map { _ in info } : printer
            reload(owner, isGone: source == nil)
            let update = publishedTopics.update(owner, source, in: rendering)
            steps += update.steps
            if update.isGrown { grown.insert(owner) }
        }
        await saveLists(of: grown)
        // A new session publishes all of it again.
        guard mine == session.number, context.isActive else { return }
        // Saving may take long, and another bridge may have some of the owners now.
        steps.removeAll { !publishedTopics.isCurrent($0) }
        var ranks: [[TopicStep]] = [[], [], []]
        for step in steps { ranks[rank(of: step)].append(step) }
        var messages: [MQTTMessage] = []
        var contents: [Delivery.Content] = []
        for step in ranks.joined() {
            do throws(MQTTError) {
                messages.append(try step.message(at: .steady))
                contents.append(.topic(step))
            } catch {
                publishedTopics.record(.refused, to: step, in: rendering, at: Date())
                refuse(step.topic, of: step.owner, error)
            }
        }
        delivery.publish(messages, carrying: contents, in: mine)
    }

    /// Discovery comes first, so that states find their entities, and `online` last; the broker keeps the order.
    private func rank(of step: TopicStep) -> Int {
        switch step.part {
        case .device: 0
        case .info: step.topic == context.topics.bridgeAvailability ? 2 : 1
        case .earlier: step.topic.isTopic(below: context.topics.discoveryPrefix) ? 0 : 1
        case .settings, .stream, .camera, .print, .health, .picture: 1
        }
    }

    private func handle(_ answers: Delivery.Answers) async {
        delivery.count(answers)
        if hasPublished, delivery.unanswered == 0 { started.signal() }
        context.outbox.putBack(answers.lostPosts)
        guard answers.session == session.number else { return }
        let time = Date()
        for (content, result) in zip(answers.contents, answers.results) {
            if case .post(let post) = content, !result.isLost { post.answered?() }
            switch result {
            case .success(let acknowledgement):
                context.counters.count(.published)
                var answer = TopicStep.Answer.taken
                // The bridge itself listens to the discovery of its own device.
                if case .topic(let step) = content, step.part == .device, step.owner != .bridge,
                    rendering.publishesDiscovery, client.configuration.protocolVersion == .v5
                {
                    let isHeard = acknowledgement.reason != .noMatchingSubscribers
                    context.discoveryHasReaders.value = isHeard
                    // Home Assistant is away: it must find later what it has to remove.
                    if !isHeard { answer = .unheard }
                }
                if case .post(let post) = content, acknowledgement.reason == .noMatchingSubscribers {
                    context.outbox.keepUnheard(post)
                }
                record(answer, to: content, at: time)
                accept(content.topic)
            case .failure(let error as MQTTError) where error.isRefusal:
                context.counters.count(.refused)
                record(.refused, to: content, at: time)
                // A client chose the topic of this answer, so no warning may advise to let the bridge write there.
                if case .post = content, !context.topics.hasOwn(content.topic) {
                    context.refusals.log(refusedAnswerOn: content.topic)
                } else {
                    refuse(content.topic, of: content.owner, error)
                }
            case .failure(let error):
                context.logger.debug("A message was not published", metadata: ["error": "\(error)"])
                record(.none, to: content, at: time)
            }
        }
        await saveLists(of: Set(publishedTopics.takeShrunk()))
    }

    /// Warns that the broker refused a message; posts and pictures have no owner.
    func refuse(_ topic: String, of owner: TopicOwner? = nil, _ error: MQTTError) {
        let names = context.topics.patterns(of: topic, owner: owner)
        if error.isMissingRight { refused[names.pattern] = (topic, owner) }
        context.warnings.warn(.refused(names, error))
    }

    /// Publishes everything again, as in a new session, when the broker takes a topic that it has refused.
    private func accept(_ topic: String) {
        guard refused.values.contains(where: { $0.name == topic }) else { return }
        refused = [:]
        context.warnings.resolve([.publishRefused])
        replay()
    }

    private func record(_ answer: TopicStep.Answer, to content: Delivery.Content, at time: Date) {
        guard case .topic(let step) = content else { return }
        publishedTopics.record(answer, to: step, in: rendering, at: time)
        if answer == .none { review([step.owner]) }
    }

    /// Publishes a picture, and once the broker has it also its time; not for a printer that is gone.
    ///
    /// An empty picture clears both topics.
    func publish(_ jpeg: [UInt8], takenAt time: Date, of picture: PublishedPicture) async throws {
        let id = picture.printer
        let payloads = [jpeg, jpeg.isEmpty ? [] : Array(time.iso8601.utf8)]
        let messages = try zip(context.topics.pair(of: picture), payloads).map { topic, payload in
            try MQTTMessage(topic: MQTTTopic(topic), payload: payload, retain: retainsPictures)
        }
        // First the list, so that a later run can clear the topics of a killed run.
        if retainsPictures, publishedTopics.holdPicture(on: messages.map(\.topic.name), of: TopicOwner(id)) {
            await saveLists(of: [TopicOwner(id)])
        }
        for message in messages {
            // Check just before sending: if the printer is removed later, its topics are cleared after this message.
            guard context.registry[id] != nil else { return }
            _ = try await awaitAnswer { answer in client.publish([message]) { answer.yield($0[0]) } }
        }
        accept(messages[0].topic.name)
    }

    /// Publishes what has changed of some owners, and waits until the broker has answered.
    ///
    /// When it returns, no message is on its way for an owner that this bridge no longer has.
    func finish(_ owners: [TopicOwner]) async {
        guard session.isOpen else { return }
        await saveLists()
        for some in owners.chunks(of: Self.chunk) { await update(Array(some), session: session.number) }
        await delivery.drain(within: Self.shutdownTimeout) { session.isOpen }
    }
}
