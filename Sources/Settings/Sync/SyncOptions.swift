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
