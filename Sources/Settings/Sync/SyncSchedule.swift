/// When what is exchanged with a remote store: a pure state machine around ``SyncSchedule/begin(now:)`` and
/// ``SyncSchedule/finish(_:_:now:)``, between which its owner does the work.
///
/// News and local changes are only noted, so that any number of them makes one exchange of the newest values.
struct SyncSchedule {
    typealias Instant = ContinuousClock.Instant

    /// Whether the remote store can be reached, as far as it told.
    enum Link: Hashable {
        case unheard
        case offline(SyncError)
        case online
    }

    /// One exchange: keys to ask for, and then whatever is unsent to send.
    struct Exchange {
        let reads: [String: SyncEvent]
        /// Whether somebody waits for it, who wants to know about now and not about the last news.
        let isRequested: Bool
        /// Values that were refused and are not tried again yet, by name.
        let heldBack: [String: SettingValue?]
        /// The connection in which it began.
        let connection: Int
        /// The requests that it answers.
        fileprivate let answers: Int
    }

    /// How an exchange ended that came to its end.
    struct Report {
        /// Keys whose values the remote store took.
        var taken: Set<String> = []
        /// Keys with remote values that do not fit, and what is wrong with them.
        var unfit: [String: SyncError] = [:]
        /// What the remote store refused: the values, and why.
        var refused: [String: Refusal] = [:]
        /// Keys whose refused values were held back and are still to be sent.
        var heldBack: Set<String> = []
        /// Keys whose values somebody else changed, and that the policy changes back.
        var insisted: Set<String> = []
    }

    /// A value that the remote store did not take.
    struct Refusal {
        let value: SettingValue?
        let error: SyncError
    }

    /// How often a key was changed back, and until when nothing more is heard of it: somebody else may insist as well.
    private struct Insistence {
        var count: Int
        var until: Instant
    }

    private(set) var link = Link.unheard
    /// Why the last exchange failed as a whole.
    private(set) var failure: (any Error)?
    private let names: [String]
    private let backOff: SyncBackOff
    private var reads: [String: SyncEvent] = [:]
    private var mayHaveUnsent = true
    private var unfit: [String: SyncError] = [:]
    private var refused: [String: Refusal] = [:]
    private var insistence: [String: Insistence] = [:]
    private var failures = 0
    /// Nothing that failed or was refused is tried before this moment.
    private var retry: Instant?
    /// Counts connections: another one may be to another account.
    private(set) var connection = 0
    private var requests = 0
    private var answered = 0
    private var isExchanging = false

    init(names: [String], backOff: SyncBackOff) {
        self.names = names
        self.backOff = backOff
    }

    /// When there may be something to do again without a word from anybody.
    var nextLook: Instant? {
        insistence.values.map(\.until).reduce(retry) { earliest, until in earliest.map { min($0, until) } ?? until }
    }

    /// What is wrong with single keys.
    var errors: [String: SyncError] { refused.mapValues(\.error).merging(unfit) { refusal, _ in refusal } }

    /// Why nothing can be exchanged now, or the last exchange failed.
    var obstacle: (any Error)? {
        if case .offline(let error) = link { error } else { failure }
    }

    mutating func connect() {
        link = .online
        compareAll()
        forgive()
    }

    /// Begins anew, with whatever account the remote store has now.
    private mutating func compareAll() {
        connection += 1
        for name in names { reads[name] = .initialSync }
    }

    mutating func disconnect(_ error: SyncError) {
        link = .offline(error)
        connection += 1
    }

    /// Notes news of keys; a key that was not yet compared since the connection is compared once.
    mutating func hear(_ names: some Sequence<String>) {
        for name in names where reads[name] == nil { reads[name] = .remoteChange }
    }

    mutating func noteLocalChange() { mayHaveUnsent = true }

    /// Asks for an exchange that begins from now on and compares all keys, without waiting for news, for the end of a
    /// back-off, or for the word that the remote store can be reached.
    ///
    /// - Returns: The number of the request, answered when it is not above what ``finish(_:_:now:)`` returns.
    mutating func request() -> Int {
        requests += 1
        return requests
    }

    /// What is to be done now; nil when there is nothing, until something is noted or ``nextLook`` has come.
    mutating func begin(now: Instant) -> Exchange? {
        guard !isExchanging else { return nil }
        let isRequested = requests > answered
        guard isRequested || link == .online else { return nil }
        let mayRetry = isRequested || retry.map { $0 <= now } ?? true
        let waiting = isRequested ? [:] : reads.filter { insistence[$0.key].map { $0.until > now } ?? false }
        let hasWork = reads.count > waiting.count || mayHaveUnsent
        let retriesRefused = !refused.isEmpty && mayRetry
        guard isRequested || retriesRefused || (hasWork && (failure == nil || mayRetry)) else { return nil }
        if isRequested {
            for name in names where reads[name] == nil {
                reads[name] = link == .online ? .remoteChange : .initialSync
            }
        }
        defer {
            reads = waiting
            mayHaveUnsent = false
            isExchanging = true
        }
        return Exchange(
            reads: reads.filter { waiting[$0.key] == nil },
            isRequested: isRequested,
            heldBack: retriesRefused ? [:] : refused.mapValues(\.value),
            connection: connection,
            answers: requests
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
            answered = exchange.answers
            failure = nil
            if isSameConnection { link = .online }
            for name in report.taken.union(exchange.reads.keys) { unfit[name] = nil }
            unfit.merge(report.unfit) { $1 }
            refused = refused.filter { report.heldBack.contains($0.key) }.merging(report.refused) { $1 }
            for name in report.insisted { insist(on: name, now) }
            insistence = insistence.filter { now < $0.value.until + backOff.longest }
            if refused.isEmpty { forgive() } else if !report.refused.isEmpty { scheduleRetry(now) }
        case .failure(let error):
            for (name, event) in exchange.reads where reads[name] != .initialSync { reads[name] = event }
            mayHaveUnsent = true
            // What was cut off by the end of its connection says nothing about the next.
            guard isSameConnection else { break }
            answered = exchange.answers
            failure = error
            if (error as? SyncError)?.code == .otherAccount { compareAll() }
            scheduleRetry(now)
        }
        return answered
    }

    private mutating func insist(on name: String, _ now: Instant) {
        let count = (insistence[name]?.count ?? 0) + 1
        insistence[name] = Insistence(count: count, until: now + backOff.delay(afterFailures: count))
    }

    private mutating func scheduleRetry(_ now: Instant) {
        failures += 1
        retry = now + backOff.delay(afterFailures: failures)
    }

    private mutating func forgive() {
        failure = nil
        failures = 0
        retry = nil
    }
}
