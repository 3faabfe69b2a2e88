/// How patient synchronisation is with a remote store.
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
