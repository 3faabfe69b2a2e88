import Foundation
import Observation
import Settings
import Synchronization
import TestSupport
import Testing

@ObservableSettings
private final class Rate {
    var perHour = 1
}

@ObservableSettings
private final class Meter {
    var hours = 1
    @SettingsIgnored var rate = Rate(backing: SettingsBacking(schema: Rate.schema))
    var cost: Int { hours * rate.perHour }
    var isNamed: Bool { saveError == nil }

    func follow() async -> Int? {
        var changes = changes(of: \.cost).makeAsyncIterator()
        return await changes.next()
    }
}

@MainActor @ObservableSettings
private final class Dial {
    var angle = 1
    var isTurned: Bool {
        MainActor.preconditionIsolated()
        return angle > 90
    }
}

@Suite("Changes of a derived property", .timeLimit(.minutes(2)))
struct DerivedChangesTests {
    private let meter = Meter(backing: SettingsBacking(schema: Meter.schema))

    @Test("come when something changes that it reads, and only if it differs")
    func ofWhatItReads() async {
        var changes = meter.changes(of: \.cost).makeAsyncIterator()
        #expect(await changes.next() == 1)
        meter.hours = 2
        #expect(await changes.next() == 2)
        meter.rate.perHour = 3
        #expect(await changes.next() == 6)
        meter.hours = 3
        meter.rate.perHour = 2
        meter.hours = 4
        #expect(await changes.next() == 8)
    }

    @Test("the last value comes, also when it is that of another model", arguments: 0..<4)
    func stress(round: Int) async {
        let rate = meter.rate
        for burst in 0..<150 {
            let target = 1000 * (burst + 1) + round
            let reader = Task.detached { [meter] in
                for await cost in meter.changes(of: \.cost) where cost == target { return }
            }
            await Task.detached { for value in (target - 5)...target { rate.perHour = value } }.value
            await reader.value
        }
    }

    @Test("40,000 writes to two models from two threads: the last values are seen")
    func manyWrites() async {
        let last = 20_000
        let reader = Task.detached { [meter] in
            for await cost in meter.changes(of: \.cost) where cost == last * last { return }
        }
        let rate = meter.rate
        Thread.detachNewThread { [meter] in for value in 1...last { meter.hours = value } }
        Thread.detachNewThread { for value in 1...last { rate.perHour = value } }
        await reader.value
        #expect(meter.cost == last * last)
    }

    @Test("end with the model, or with the task", arguments: [true, false])
    func end(byRelease: Bool) async throws {
        var meter: Meter? = Meter(backing: SettingsBacking(schema: Meter.schema))
        let seen = Atomic(0)
        let changes = try #require(meter).changes(of: \.cost)
        let reader = Task {
            for await _ in changes { seen.add(1, ordering: .relaxed) }
        }
        try await eventually("the first value") { seen.load(ordering: .relaxed) == 1 }
        if byRelease { meter = nil } else { reader.cancel() }
        await reader.value
        #expect(seen.load(ordering: .relaxed) == 1)
        withExtendedLifetime(meter) {}
    }

    @Test("of a class on the main actor are computed there")
    @MainActor func onMainActor() async throws {
        let dial = Dial(store: InMemorySettingsStore())
        let seen = Mutex<[Bool]>([])
        let reader = Task {
            for await isTurned in dial.changes(of: \.isTurned) { seen.withLock { $0.append(isTurned) } }
        }
        try await eventually("the first value") { seen.withLock(\.self) == [false] }
        dial.angle = 91
        try await eventually("the second value") { seen.withLock(\.self) == [false, true] }
        reader.cancel()
    }
}
