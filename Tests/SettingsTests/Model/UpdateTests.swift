import Settings
import TestSupport
import Testing

@Suite("A change in one step")
struct UpdateTests {
    private let lamp = LampSettings(store: InMemorySettingsStore())

    @Test("ends although the value is not equal to itself", .timeLimit(.minutes(1)))
    func notANumber() {
        let reading = SettingsKey("reading", default: 1.0)
        lamp.backing[reading] = .nan
        lamp.backing.update(reading) { $0 = 2 }
        #expect(lamp.backing[reading] == 2)
    }

    @Test("ends although its own body assigns the setting, and has the last word", .timeLimit(.minutes(1)))
    func ofItself() throws {
        let hours = LampSettings.hours
        lamp.backing.update(hours) { value in
            lamp.hours = 7
            lamp.backing.update(hours) { $0 += 1 }
            value += 1
        }
        #expect(lamp.hours == 51)
        try lamp.backing.withTransaction {
            lamp.backing.update(hours) { value in
                lamp.name = "inside"
                lamp.hours = 7
                try? lamp.backing.withTransaction {
                    lamp.backing.update(hours) { $0 += 1 }
                    throw CancellationError()
                }
                value += 1
            }
        }
        #expect(lamp.hours == 52)
        #expect(lamp.name == "inside")
    }

    @Test("is tried again when another thread came between its own assignments")
    func betweenItsOwn() {
        var runs = 0
        lamp.backing.update(LampSettings.hours) { value in
            runs += 1
            if runs == 1 {
                lamp.hours = 7
                Detached.run { [lamp] in lamp.hours = 100 }
            }
            value += 1
        }
        #expect(lamp.hours == 101)
    }

    @Test("in transactions of several tasks loses none")
    func inTransactions() async {
        await withTaskGroup { group in
            for _ in 0..<4 {
                group.addTask { [lamp] in
                    for _ in 0..<2000 {
                        try? lamp.backing.withTransaction { lamp.backing.update(LampSettings.hours) { $0 += 1 } }
                    }
                }
            }
        }
        #expect(lamp.hours == 8050)
    }

    @Test("in tasks that outlive the transaction in which they were begun loses none")
    func outlives() async throws {
        let (stream, continuation) = AsyncStream.makeStream(of: Void.self)
        let gate = Task { for await _ in stream { break } }
        let tasks = try lamp.backing.withTransaction {
            (0..<4).map { _ in
                Task { [lamp] in
                    await gate.value
                    for _ in 0..<2000 { lamp.backing.update(LampSettings.hours) { $0 += 1 } }
                }
            }
        }
        continuation.finish()
        for task in tasks { await task.value }
        #expect(lamp.hours == 8050)
    }

    @Test("in a transaction that has to run again takes back what its body did to an outer one")
    func again() throws {
        let other = LampSettings(scope: "lamp/b", store: InMemorySettingsStore())
        var runs = 0
        try other.backing.withTransaction {
            try lamp.backing.withTransaction {
                runs += 1
                other.backing.update(LampSettings.hours) { $0 += 1 }
                lamp.backing.update(LampSettings.hours) { $0 += 1 }
                if runs == 1 { Detached.run { lamp.hours = 100 } }
            }
        }
        #expect(runs == 2)
        #expect(lamp.hours == 101)
        #expect(other.hours == 51)
    }
}
