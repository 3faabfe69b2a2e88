/// Where the answer to one waiting caller goes.
package typealias Answer<Value: Sendable> = AsyncStream<Result<Value, any Error>>.Continuation

/// Waits for the answer that `ask` asks for.
///
/// A caller that is cancelled gives up at once; an answer that comes later goes nowhere.
package func awaitAnswer<Value: Sendable>(_ ask: (Answer<Value>) -> Void) async throws -> Value {
    let (answers, answer) = AsyncStream.makeStream(of: Result<Value, any Error>.self)
    ask(answer)
    for await answer in answers { return try answer.get() }
    throw CancellationError()
}
