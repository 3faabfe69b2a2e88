import Foundation
import Settings
import Testing

@testable import Bridge

@Suite("The probes of a run count in the next one")
struct RecentProbesTests {
    private let probes = RecentProbes(store: InMemorySettingsStore())

    @Test("They are as much older as time has passed, and taken once")
    func taken() async throws {
        try await probes.leave(["a:322": [50, 10], "b:322": [0]], at: .noon)
        let ages = try await probes.take(at: .noon + 5)
        #expect(ages == ["a:322": [55, 15], "b:322": [5]])
        #expect(try await probes.take(at: .noon + 5).isEmpty)
    }

    @Test("What is older than a minute, or was left by a clock that is ahead, does not count")
    func old() async throws {
        try await probes.leave(["a:322": [50, 10]], at: .noon)
        #expect(try await probes.take(at: .noon + 20) == ["a:322": [30]])
        try await probes.leave(["a:322": [10]], at: .noon)
        #expect(try await probes.take(at: .noon - 60) == ["a:322": []])
    }
}
