/// What a store did since it was opened.
public struct SQLiteStoreStatistics: Sendable, Hashable {
    /// Transactions that were run.
    public internal(set) var transactions = 0
    /// Commits that were made durable; each costs one flush of the disk, whatever it holds.
    public internal(set) var commits = 0
}
