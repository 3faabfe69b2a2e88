/// When something is exchanged with a remote store, and what stands in the way: a value without a clock.
///
/// One exchange runs at a time. What failed or was refused is tried again after a back-off, and sooner for a waiter.
struct SyncSchedule {
    typealias Instant = ContinuousClock.Instant

    /// One exchange: keys to ask for, and then whatever is unsent to send.
    struct Exchange {
        let reads: [String: SyncEvent]
        /// Values that were refused and are not tried again yet, by name.
        let refused: [String: SettingValue?]
        /// The connection in which it began.
        fileprivate let connection: Int
        /// The last request that it answers.
        fileprivate let request: Int
    }

    /// How an exchange ended that came to its end.
    struct Report {
        /// Keys whose values the remote store took.
        var taken: Set<String> = []
        /// Keys with remote values that do not fit, and what is wrong with them.
        var unfit: [String: SyncError] = [:]
        var refused: [String: (value: SettingValue?, error: SyncError)] = [:]
        /// Keys whose refused values were held back and are still to be sent.
        var heldBack: Set<String> = []
        /// Whether the policy changed back what another program had changed.
        var hasInsisted = false
    }

    private let names: [String]
    private let options: SyncOptions
    private var isOnline = false
    /// Whether all keys were compared since the remote store was connected.
    private var isCompared = false
    /// Keys with news.
    private var heard: Set<String> = []
    private var mayHaveUnsent = true
    private var unfit: [String: SyncError] = [:]
    private var refused: [String: (value: SettingValue?, error: SyncError)] = [:]
    private var failures = 0
    /// Nothing that failed or was refused is tried before this moment.
    private var retry: Instant?
    /// How often something was changed back lately, and until when no news are read: another program may insist as well.
    private var insistence = (count: 0, until: Instant?.none)
    private var lastRequest = 0
    private var answered = 0
    private var isExchanging = false
    /// Counts connections: another one may be to another account.
    private(set) var connection = 0
    /// Why nothing can be exchanged now, or the last exchange failed.
    private(set) var obstacle: (any Error)?

    init(names: [String], options: SyncOptions) {
        self.names = names
        self.options = options
    }

    /// What is wrong with single keys.
    var errors: [String: SyncError] { refused.mapValues(\.error).merging(unfit) { refusal, _ in refusal } }

    /// When there may be something to do without a new event.
    var nextLook: Instant? { [retry, insistence.until].compactMap(\.self).min() }

    mutating func connect() {
        isOnline = true
        compareAll()
        forgive()
    }

    mutating func disconnect(_ error: SyncError) {
        isOnline = false
        isCompared = false
        obstacle = error
        connection += 1
    }

    /// Notes news of keys.
    mutating func hear(_ names: some Sequence<String>) { heard.formUnion(names) }

    mutating func noteLocalChange() { mayHaveUnsent = true }

    /// Asks for an exchange that begins from now on and compares all keys, without waiting for news, for the end of a
    /// back-off, or for the word that the remote store can be reached.
    ///
    /// - Returns: The number of the request, answered when it is not above what ``finish(_:_:now:)`` returns.
    mutating func request() -> Int {
        lastRequest += 1
        return lastRequest
    }

    /// What is to be done now; nil when there is nothing, until something is noted or ``nextLook`` has come.
    mutating func begin(now: Instant) -> Exchange? {
        let isRequested = lastRequest > answered
        guard !isExchanging, isOnline || isRequested else { return nil }
        if let until = insistence.until, until <= now { insistence.until = nil }
        let mayRetry = isRequested || retry.map { $0 <= now } ?? true
        let mayRead = !isCompared || insistence.until == nil
        let hasWork = !isCompared || (mayRead && !heard.isEmpty) || mayHaveUnsent
        let retriesRefused = !refused.isEmpty && mayRetry
        guard isRequested || retriesRefused || (hasWork && (mayRetry || obstacle == nil)) else { return nil }
        let event = isCompared ? SyncEvent.remoteChange : .initialSync
        let reads = isRequested || !isCompared ? Set(names) : mayRead ? heard : []
        heard.subtract(reads)
        mayHaveUnsent = false
        isExchanging = true
        isCompared = true
        return Exchange(
            reads: Dictionary(uniqueKeysWithValues: reads.map { ($0, event) }),
            refused: retriesRefused ? [:] : refused.mapValues(\.value),
            connection: connection,
            request: lastRequest
        )
    }

    /// Ends an exchange; what was to be done and was not is still to be done.
    ///
    /// - Returns: The number of the last request that was answered.
    mutating func finish(_ exchange: Exchange, _ result: Result<Report, any Error>, now: Instant) -> Int {
        isExchanging = false
        let isSameConnection = connection == exchange.connection
        switch result {
        case .success(let report):
            answered = exchange.request
            if isSameConnection { (isOnline, obstacle) = (true, nil) }
            for name in report.taken.union(exchange.reads.keys) { unfit[name] = nil }
            unfit.merge(report.unfit) { $1 }
            refused = refused.filter { report.heldBack.contains($0.key) }.merging(report.refused) { $1 }
            if report.hasInsisted { insist(now) }
            if refused.isEmpty { forgive() } else if !report.refused.isEmpty { scheduleRetry(now) }
        case .failure(let error):
            if exchange.reads.values.contains(.initialSync) { isCompared = false } else { hear(exchange.reads.keys) }
            mayHaveUnsent = true
            // What was cut off by the end of its connection says nothing about the next.
            guard isSameConnection else { break }
            answered = exchange.request
            obstacle = error
            if (error as? SyncError)?.code == .otherAccount { compareAll() }
            scheduleRetry(now)
        }
        return answered
    }

    /// Begins anew, with whatever account the remote store has now.
    private mutating func compareAll() {
        connection += 1
        isCompared = false
    }

    private mutating func insist(_ now: Instant) {
        insistence.count += 1
        insistence.until = now + options.delay(afterFailures: insistence.count)
    }

    private mutating func scheduleRetry(_ now: Instant) {
        failures += 1
        retry = now + options.delay(afterFailures: failures)
    }

    private mutating func forgive() {
        if isOnline { obstacle = nil }
        failures = 0
        retry = nil
    }
}

/// How long synchronisation waits for a remote store, and when it tries again.
public struct SyncOptions: Sendable, Hashable {
    /// How long to wait after the first failure or refusal before the next attempt; twice as long after each one more.
    public var firstRetry: Duration
    /// The longest wait between two attempts.
    public var longestRetry: Duration
    /// How long one call to the remote store may take.
    public var timeout: Duration

    /// Waits from a second to five minutes between attempts, and half a minute for an answer, unless told.
    public init(
        firstRetry: Duration = .seconds(1),
        longestRetry: Duration = .seconds(300),
        timeout: Duration = .seconds(30)
    ) {
        self.firstRetry = firstRetry
        self.longestRetry = longestRetry
        self.timeout = timeout
    }

    /// The wait after that many failures in a row, from 1.
    func delay(afterFailures failures: Int) -> Duration {
        // Capped before it could overflow.
        min(longestRetry, firstRetry * (1 << min(max(failures, 1) - 1, 20)))
    }
}
