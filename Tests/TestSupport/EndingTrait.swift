import Synchronization
package import Testing

/// Ends what a test has started when the test is over, also when it has thrown; the last first.
package struct EndingTrait: SuiteTrait, TestTrait, TestScoping {
    /// What a test has to end.
    private final class Ends: Sendable {
        let all = Mutex<[@Sendable () async -> Void]>([])
    }

    @TaskLocal private static var ends: Ends?

    /// Each test of a suite ends its own.
    package let isRecursive = true

    /// Runs `end` when the test is over.
    ///
    /// The suite needs `.endsAll`. Detached tasks, and the process of an exit test, have to end what they start.
    package static func atEnd(_ end: @escaping @Sendable () async -> Void) {
        guard let ends else {
            if Test.current != nil { Issue.record("Nothing ends this: write .endsAll into the test's suite") }
            return
        }
        ends.all.withLock { $0.append(end) }
    }

    /// Runs a test, and ends what it has started.
    package func provideScope(
        for test: Test,
        testCase: Test.Case?,
        performing function: @Sendable @concurrent () async throws -> Void
    ) async throws {
        let ends = Ends()
        var failure: (any Error)?
        do { try await Self.$ends.withValue(ends) { try await function() } } catch { failure = error }
        for end in ends.all.withLock(\.self).reversed() { await end() }
        if let failure { throw failure }
    }
}

extension Trait where Self == EndingTrait {
    /// Ends the servers, clients and programs that a test has started, and waits for it.
    package static var endsAll: Self { Self() }
}
