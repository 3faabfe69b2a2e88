import Concurrency
import Testing

/// Ends what a test has started when the test is over, the last first.
struct EndingTrait: SuiteTrait, TestTrait, TestScoping {
    typealias End = @Sendable () async -> Void

    @TaskLocal private static var ends: LockedValue<[End]>?

    let isRecursive = true

    /// Runs `end` when the test is over; tests start one thing after the other.
    static func atEnd(_ end: @escaping End) { ends?.value.append(end) }

    func provideScope(
        for test: Test,
        testCase: Test.Case?,
        performing function: @Sendable @concurrent () async throws -> Void
    ) async throws {
        let ends = LockedValue<[End]>([])
        try await Self.$ends.withValue(ends) { try await function() }
        for end in ends.value.reversed() { await end() }
    }
}

extension Trait where Self == EndingTrait {
    /// Ends the clients and scripted brokers that a test has started, and waits for it.
    static var endsAll: Self { Self() }
}
