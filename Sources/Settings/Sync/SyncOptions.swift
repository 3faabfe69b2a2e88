/// How patient synchronisation is with a remote store.
public struct SyncOptions: Sendable, Hashable {
    /// How long to wait before what failed or was refused is tried again.
    public var backOff: SyncBackOff
    /// How long one call to the remote store may take.
    public var patience: Duration

    /// Waits half a minute for an answer, unless told.
    public init(backOff: SyncBackOff = SyncBackOff(), patience: Duration = .seconds(30)) {
        self.backOff = backOff
        self.patience = patience
    }
}

/// How long to wait before a failed exchange is tried again: twice as long each time.
public struct SyncBackOff: Sendable, Hashable {
    /// The wait after the first failure.
    public var first: Duration
    /// The longest wait.
    public var longest: Duration

    /// Begins with a second and goes up to five minutes, unless told.
    public init(first: Duration = .seconds(1), longest: Duration = .seconds(300)) {
        self.first = first
        self.longest = longest
    }

    /// The wait after that many failures in a row, from 1.
    func delay(afterFailures failures: Int) -> Duration {
        // Capped before it could overflow.
        min(longest, first * (1 << min(max(failures, 1) - 1, 20)))
    }
}
