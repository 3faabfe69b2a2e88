import Logging
import Synchronization

/// The client's engine, all of it on one event loop: libmosquitto, its socket, its timers and what is asked of it.
actor MQTTConnection {
    enum Stop: Sendable { case graceful, immediate }

    /// How far the present attempt is.
    enum Link {
        case none
        /// TCP or TLS is being set up.
        case connecting
        /// CONNECT is out, CONNACK is awaited.
        case greeted
        case open(MQTTSession)
    }

    private enum Life { case new, running, ended }

    nonisolated let configuration: MQTTConfiguration
    nonisolated let logger: Logger
    nonisolated let figures: ClientFigures?
    nonisolated let loop: MQTTEventLoop
    nonisolated let hub = ConnectionEventHub()
    private nonisolated let runs = Atomic<UInt64>(0)
    private nonisolated let tickets = Atomic<UInt64>(0)

    var link = Link.none
    var channel: BrokerChannel?
    var watcher: SocketWatcher?
    /// Whether the peer took the TCP connection.
    var isEstablished = false
    /// The subscriptions that want every message and have no place for more.
    var full: Set<Int> = []
    /// Whether the socket is not read because of them; answers that are due are waited for, or a subscriber who waits for
    /// one would never make room.
    var isPaused: Bool { !full.isEmpty && session != nil && !publishes.hasPublishers && subscribing.isEmpty }
    var handle: MosquittoHandle?
    var inner: InnerSocket?
    var isSettlingSoon = false
    /// Messages of a resumed session that nobody wants yet, for as long as the timer runs, and those right behind CONNACK.
    var unclaimed: [InboundMessage] = []
    var claimTimer: LoopTimer?
    var framer: PacketFramer?
    /// Whether the broker said anything since keep-alive asked last.
    var isHeard = false
    var inspector: PacketInspector
    /// Acknowledgements of what subscribers have; they wait until all of these have room.
    var owed: [UInt8] = []
    /// The reason of the broker's DISCONNECT.
    var farewell: MQTTReasonCode?
    /// When the broker accepted the client; nil until then.
    var opened: ContinuousClock.Instant?
    /// When the present step of an attempt counts as failed.
    var deadline = ContinuousClock.now
    var keepAliveTimer: LoopTimer?
    /// Why the last connection or attempt ended.
    var ending: MQTTDisconnectReason?
    /// How long to wait before the next attempt.
    var nextPause = Duration.zero
    var lookUp: Result<[String], Resolver.Failure>?
    var isLookingUp = false

    typealias PublishPromise = CheckedContinuation<MQTTPublishAcknowledgement, any Error>
    var publishes: PublishQueue<PublishPromise>

    var registry = SubscriptionRegistry<SubscriptionMailbox>()
    var lastMember = 0
    /// The filters that each subscription still waits to hear about.
    var unconfirmed: [Int: Set<MQTTTopicFilter>] = [:]
    var confirmations: [Int: CheckedContinuation<Void, any Error>] = [:]
    /// The filter of each SUBSCRIBE that is unanswered.
    var subscribing: [UInt16: MQTTTopicFilter] = [:]

    private var life = Life.new
    private var currentRun: UInt64 = 0
    private var stopRequest: (run: UInt64, stop: Stop)?
    private var sleeper: CheckedContinuation<Void, Never>?
    private var sleepTimer: LoopTimer?

    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.core.asUnownedSerialExecutor() }

    init(configuration: MQTTConfiguration, logger: Logger, figures: ClientFigures?, loop: MQTTEventLoop) {
        self.configuration = configuration
        self.logger = logger
        self.figures = figures
        self.loop = loop
        inspector = PacketInspector(configuration)
        let lastIdentifier = UInt16.random(in: 0...UInt16.max)
        publishes = PublishQueue(
            limit: configuration.outgoingQueueLimit,
            session: OutboundSession(window: configuration.maximumInFlight, lastIdentifier: lastIdentifier),
            policy: configuration.whenQueueFull
        )
    }

    /// What the run that goes on was told to do.
    var stop: Stop? { stopRequest.flatMap { $0.run == currentRun ? $0.stop : nil } }
    var hasEnded: Bool { life == .ended || life == .running && stop != nil }

    var isV5: Bool { configuration.protocolVersion == .v5 }

    var session: MQTTSession? {
        guard case .open(let session) = link else { return nil }
        return session
    }

    /// Runs later on the loop, after the job that runs now.
    nonisolated func onLoop(_ body: @escaping @Sendable (isolated MQTTConnection) -> Void) {
        loop.core.submit { self.assumeIsolated { body($0) } }
    }

    nonisolated var lastRun: UInt64 { runs.load(ordering: .relaxed) }

    nonisolated func makeRunNumber() -> UInt64 {
        runs.add(1, ordering: .relaxed).newValue
    }

    nonisolated func makeTicket() -> UInt64 {
        tickets.add(1, ordering: .relaxed).newValue
    }

    /// May come before the run begins, and too late; an immediate stop overrules a graceful one.
    nonisolated func requestStop(_ stop: Stop, of run: UInt64) {
        onLoop { connection in
            guard run >= connection.currentRun else { return }
            if let earlier = connection.stopRequest, earlier.run == run, earlier.stop == .immediate { return }
            connection.stopRequest = (run, stop)
            connection.wake()
        }
    }

    func run(_ number: UInt64) async throws {
        guard life != .running else {
            throw MQTTError(.invalidConfiguration, "This client runs already.")
        }
        life = .running
        currentRun = number
        hub.open()
        defer { end() }
        try configuration.validate()
        _ = try MosquittoHandle(configuration)
        await connectUntilStopped()
    }

    /// Nobody waits for a run that is over, also when it never came to a connection.
    private func end() {
        life = .ended
        failPublishes(MQTTError(.shutDown, "The client was told to end."))
        endSubscriptions()
        hub.finish()
    }

    /// Suspends until the condition ends, looked at after each ``wake()``, or the deadline has come.
    ///
    /// Every `await` may let something else run here first, even one for a method of ours: a task can prefer another
    /// executor. So the condition is looked at where nothing can come between it and the sleep.
    func sleep(until deadline: ContinuousClock.Instant? = nil, while isNeeded: () -> Bool) async {
        var isOver = false
        while !isOver {
            await withCheckedContinuation { sleeper in
                let left = deadline.map { $0 - .now }
                isOver = !isNeeded() || left.map { $0 <= .zero } == true
                guard !isOver else { return sleeper.resume() }
                self.sleeper = sleeper
                sleepTimer = left.map { left in
                    LoopTimer(on: loop.core, after: left) { [weak self] in self?.assumeIsolated { $0.wake() } }
                }
            }
            sleepTimer = nil
        }
    }

    func wake() {
        sleeper?.resume()
        sleeper = nil
    }
}
