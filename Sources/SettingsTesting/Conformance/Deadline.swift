/// Runs `body`, and gives up on it after a time, whether or not it hears of its cancellation.
func withDeadline(_ deadline: Duration, _ body: @escaping @Sendable () async throws -> Void) async throws {
    // The first end counts.
    let (ends, end) = AsyncThrowingStream.makeStream(of: Void.self)
    let work = Task {
        do {
            try await body()
            end.finish()
        } catch {
            end.finish(throwing: error)
        }
    }
    let watch = Task {
        try await Task.sleep(for: deadline)
        end.finish(throwing: RequirementFailure("it was not done within \(deadline)"))
    }
    defer {
        work.cancel()
        watch.cancel()
    }
    for try await _ in ends {}
}
