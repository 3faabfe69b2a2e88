/// Decides when to exchange values with a remote store: a value without a clock.
///
/// One exchange runs at a time. Failures and refusals are retried after a back-off, or at once for a waiter.
struct SyncSchedule {
    typealias Instant = ContinuousClock.Instant

    /// One exchange: the keys to read; then unsent values are sent.
    struct Exchange {
        let reads: Set<String>
        /// Whether it is the first one since the connection, which reads all keys.
        let isInitial: Bool
        /// Refused values that are not retried yet, by name.
        let refused: [String: JSONValue?]
        fileprivate let connection: Int
        fileprivate let request: Int
    }

    struct Report: Sendable {
        var taken: Set<String> = []
        var unfit: [String: SyncError] = [:]
        var refused: [String: (value: JSONValue?, error: SyncError)] = [:]
        /// Unsent keys that the remote store refused before.
        var heldBack: Set<String> = []
        /// The keys that are changed back after others changed them.
        var insisted: Set<String> = []
    }

    private let names: [String]
    private let options: SyncOptions
    private var isOnline = false
    /// Whether all keys were compared since the remote store was connected.
    private var isCompared = false
    private var heard: Set<String> = []
    private var mayHaveUnsent = true
    private var unfit: [String: SyncError] = [:]
    private var refused: [String: (value: JSONValue?, error: SyncError)] = [:]
    private var failures = 0
    /// The end of the back-off.
    private var retry: Instant?
    /// Values that were changed back lately, how often, and until when news of them wait: another program may insist as well.
    private var insistence = (names: Set<String>(), count: 0, last: Instant?.none, until: Instant?.none)
    private var lastRequest = 0
    private var answered = 0
    private var isExchanging = false
    /// The number of the connection; the next one may be to another account.
    private(set) var connection = 0
    /// Why there is no connection, or why the last exchange failed.
    private(set) var obstacle: (any Error)?

    init(names: [String], options: SyncOptions) { (self.names, self.options) = (names, options) }

    var errors: [String: SyncError] { refused.mapValues(\.error).merging(unfit) { refusal, _ in refusal } }

    /// When to look again without a new event.
    var nextLook: Instant? { [retry, insistence.until].compactMap(\.self).min() }

    mutating func connect() {
        isOnline = true
        compareAll()
        forgive()
    }

    mutating func disconnect(_ error: SyncError) {
        // Without a connection none ends: a request that fails then is answered, and not repeated at once.
        if isOnline { connection += 1 }
        isOnline = false
        isCompared = false
        obstacle = error
    }

    mutating func hear(_ names: some Sequence<String>) { heard.formUnion(names) }

    mutating func noteLocalChange() { mayHaveUnsent = true }

    /// Requests an exchange that compares all keys and waits neither for a back-off nor for a connection.
    ///
    /// Gives the number of the request; ``finish(_:_:now:)`` returns the last number that is answered.
    mutating func request() -> Int {
        lastRequest += 1
        return lastRequest
    }

    mutating func begin(now: Instant) -> Exchange? {
        let isRequested = lastRequest > answered
        guard !isExchanging, isOnline || isRequested else { return nil }
        if let until = insistence.until, until <= now { insistence.until = nil }
        let mayRetry = isRequested || retry.map { $0 <= now } ?? true
        let news = insistence.until == nil ? heard : heard.subtracting(insistence.names)
        let hasWork = !isCompared || !news.isEmpty || mayHaveUnsent
        let retriesRefused = !refused.isEmpty && mayRetry
        guard isRequested || retriesRefused || (hasWork && (mayRetry || obstacle == nil)) else { return nil }
        let isInitial = !isCompared
        let reads = isRequested || isInitial ? Set(names) : news
        heard.subtract(reads)
        mayHaveUnsent = false
        isExchanging = true
        isCompared = true
        return Exchange(
            reads: reads,
            isInitial: isInitial,
            refused: retriesRefused ? [:] : refused.mapValues(\.value),
            connection: connection,
            request: lastRequest
        )
    }

    /// Ends an exchange; returns the number of the last request that is answered.
    mutating func finish(_ exchange: Exchange, _ result: Result<Report, any Error>, now: Instant) -> Int {
        isExchanging = false
        let isSameConnection = connection == exchange.connection
        switch result {
        case .success(let report):
            answered = exchange.request
            if isSameConnection { (isOnline, obstacle) = (true, nil) }
            for name in report.taken.union(exchange.reads) { unfit[name] = nil }
            unfit.merge(report.unfit) { $1 }
            refused = refused.filter { report.heldBack.contains($0.key) }.merging(report.refused) { $1 }
            if !report.insisted.isEmpty { insist(on: report.insisted, now) }
            if refused.isEmpty { forgive() } else if !report.refused.isEmpty { scheduleRetry(now) }
        case .failure(let error):
            if exchange.isInitial { isCompared = false } else { hear(exchange.reads) }
            mayHaveUnsent = true
            // The end of a connection says nothing about the next one.
            guard isSameConnection else { break }
            answered = exchange.request
            obstacle = error
            if (error as? SyncError)?.code == .otherAccount { compareAll() }
            scheduleRetry(now)
        }
        return answered
    }

    /// Compares all keys again, with whatever account the remote store has now.
    private mutating func compareAll() {
        connection += 1
        isCompared = false
    }

    private mutating func insist(on names: Set<String>, _ now: Instant) {
        // Twice the last delay has passed without a conflict: nobody contests the values any more.
        let isOver = insistence.last.map { now > $0 + options.delay(afterFailures: insistence.count) * 2 } ?? true
        if isOver { (insistence.names, insistence.count) = ([], 0) }
        insistence.names.formUnion(names)
        insistence.count += 1
        (insistence.last, insistence.until) = (now, now + options.delay(afterFailures: insistence.count))
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
package struct SyncOptions: Sendable, Hashable {
    /// How long to wait after the first failure or refusal before the next attempt; twice as long after each one more.
    package var firstRetry: Duration = .seconds(1)
    /// The longest wait between two attempts.
    package var longestRetry: Duration = .seconds(300)
    /// How long one call to the remote store may take.
    package var timeout: Duration = .seconds(30)

    package init() {}

    /// The wait after a number of failures in a row, from 1.
    func delay(afterFailures failures: Int) -> Duration {
        // Capped before it could overflow.
        min(longestRetry, firstRetry * (1 << min(max(failures, 1) - 1, 20)))
    }
}
