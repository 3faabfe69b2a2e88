import Settings

/// A transaction that waits for its turn.
struct WriteJob: Sendable {
    /// Runs the body; what it gives back hands the result to the one who waits, once it is durable.
    let run: @Sendable (inout SettingsTransaction) throws -> @Sendable () -> Void
    /// Hands an error to the one who waits.
    let fail: @Sendable (any Error) -> Void
}
