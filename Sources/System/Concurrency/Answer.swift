/// Where the answer to one waiting caller goes.
package typealias Answer<Value: Sendable> = AsyncStream<Result<Value, any Error>>.Continuation

/// Calls `ask`, and waits for the first result that is yielded to its argument.
///
/// - Throws: The error of a failed result; `CancellationError` if the task is cancelled first. Later results are discarded.
package func awaitAnswer<Value: Sendable>(_ ask: (Answer<Value>) -> Void) async throws -> Value {
    try Task.checkCancellation()
    let (answers, answer) = AsyncStream.makeStream(of: Result<Value, any Error>.self)
    ask(answer)
    for await answer in answers { return try answer.get() }
    throw CancellationError()
}
