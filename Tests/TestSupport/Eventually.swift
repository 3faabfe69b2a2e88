/// Why a test helper gave up.
public struct TestFailure: Error, CustomStringConvertible {
    /// What was expected.
    public let description: String

    /// Wraps a sentence.
    public init(_ description: String) { self.description = description }
}

/// Polls `condition` until it holds; throws after `timeout`.
public func eventually(
    _ what: @autoclosure () -> String,
    timeout: Duration = .seconds(60),
    isolation: isolated (any Actor)? = #isolation,
    _ condition: () async throws -> Bool
) async throws {
    let deadline = ContinuousClock.now + timeout
    while try await !condition() {
        guard ContinuousClock.now < deadline else { throw TestFailure("not within \(timeout): \(what())") }
        try await Task.sleep(for: .milliseconds(10))
    }
}
