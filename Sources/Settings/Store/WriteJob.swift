/// A transaction that waits for its turn.
package struct WriteJob: Sendable {
    /// Runs the body; what it gives back hands the result to the one who waits, once it is durable.
    package let run: @Sendable (inout SettingsTransaction) throws -> @Sendable () -> Void
    /// Hands an error to the one who waits.
    package let fail: @Sendable (any Error) -> Void

    /// Makes a job of a body and of the one who waits for it.
    package init<Result: Sendable>(
        _ body: @escaping @Sendable (inout SettingsTransaction) throws -> Result,
        for waiter: CheckedContinuation<Result, any Error>
    ) {
        run = { transaction in
            let result = try body(&transaction)
            return { waiter.resume(returning: result) }
        }
        fail = { waiter.resume(throwing: $0) }
    }
}
