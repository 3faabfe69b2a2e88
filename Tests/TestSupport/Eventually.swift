/// Why a test helper gave up.
package struct TestFailure: Error, CustomStringConvertible {
    package let description: String

    package init(_ description: String) { self.description = description }
}

/// Polls `condition` until it holds; throws after `timeout`.
package func eventually(
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
