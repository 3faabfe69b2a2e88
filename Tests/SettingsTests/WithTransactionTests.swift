import Dispatch
import Foundation
import Settings
import Synchronization
import TestSupport
import Testing

@Suite("withTransaction")
struct WithTransactionTests {
    private struct Refused: Error {}

    private let store = InMemorySettingsStore()
    private let lamp: LampSettings

    init() { lamp = LampSettings(store: store) }

    @Test("assignments are stored with one revision")
    func oneRevision() async throws {
        let result = try lamp.backing.withTransaction {
            lamp.brightness = 1
            lamp.name = "a"
            lamp.brightness = 2
            lamp.backing.reset(LampSettings.mode)
            return lamp.brightness
        }
        #expect(result == 2)
        try await lamp.backing.commit()
        #expect(store.record("lamp/a")?.revision == 1)
        #expect(store.record("lamp/a")?.values == ["brightness": 2, "name": "a"])
    }

    @Test("a body that throws changes nothing")
    func rollback() async throws {
        #expect(throws: Refused.self) {
            try lamp.backing.withTransaction {
                lamp.brightness = 1
                #expect(lamp.brightness == 1)
                throw Refused()
            }
        }
        #expect(lamp.brightness == 50)
        try await lamp.backing.commit()
        #expect(store.record("lamp/a") == nil)
        lamp.brightness = 3
        #expect(lamp.brightness == 3)
    }

    @Test("others see nothing before the end, and may assign meanwhile")
    func isolation() async {
        let seen = await withCheckedContinuation { continuation in
            // Threads of their own, as both wait for each other.
            Thread { [lamp] in
                let seen = Mutex(0)
                try? lamp.backing.withTransaction {
                    lamp.brightness = 1
                    let done = DispatchSemaphore(value: 0)
                    Thread {
                        seen.withLock { $0 = lamp.brightness }
                        lamp.name = "b"
                        done.signal()
                    }.start()
                    done.wait()
                }
                continuation.resume(returning: seen.withLock(\.self))
            }.start()
        }
        #expect(seen == 50)
        #expect(lamp.brightness == 1)
        #expect(lamp.name == "b")
    }

    @Test("one inside another joins it, and models do not mix")
    func nested() throws {
        let other = LampSettings(scope: "lamp/b", store: store)
        try lamp.backing.withTransaction {
            lamp.brightness = 1
            try other.backing.withTransaction {
                other.brightness = 2
                try lamp.backing.withTransaction { lamp.name = "n" }
                #expect(lamp.name == "n")
            }
            #expect(other.brightness == 2)
        }
        #expect(lamp.brightness == 1)
        #expect(lamp.name == "n")
    }

    @Test("a task that outlives its transaction writes like any other")
    func outlives() async throws {
        let (stream, continuation) = AsyncStream.makeStream(of: Void.self)
        let late = try lamp.backing.withTransaction {
            Task { [lamp] in
                for await _ in stream { break }
                // Another transaction is open here and now, so that the path through the stages is taken.
                lamp.brightness = 9
                return lamp.brightness
            }
        }
        try lamp.backing.withTransaction { continuation.finish() }
        #expect(await late.value == 9)
        #expect(lamp.brightness == 9)
    }

    @Test("one inside another that throws takes back its own assignments, and the outer goes on")
    func nestedRollback() throws {
        try lamp.backing.withTransaction {
            lamp.hours = 1
            #expect(throws: Refused.self) {
                try lamp.backing.withTransaction {
                    lamp.hours = 1000
                    lamp.name = "n"
                    lamp.brightness = 1000
                    throw Refused()
                }
            }
            #expect(lamp.hours == 1)
        }
        #expect(lamp.hours == 1)
        #expect(lamp.name == "lamp")
    }

    @Test("a value that cannot be stored fails it, and nothing of it is in force")
    func unstorable() async throws {
        let place = SettingsKey("place", default: Place(x: 7))
        let error = #expect(throws: SettingsError.self) {
            try lamp.backing.withTransaction {
                lamp.backing[place] = Place(x: .infinity)
                lamp.hours = 3
                #expect(lamp.backing[place].x == .infinity)
            }
        }
        #expect(error?.code == .unsupportedValue)
        #expect(lamp.backing[place].x == 7)
        #expect(lamp.hours == 50)
        #expect(lamp.backing.loadError == nil)
        try await lamp.backing.commit()
        #expect(store.record("lamp/a") == nil)
    }

    @Test("whether a setting is set is told as the body sees it")
    func isSet() throws {
        try lamp.backing.withTransaction {
            lamp.hours = 50
            #expect(lamp.backing.isSet(LampSettings.hours))
            lamp.backing.reset(LampSettings.hours)
            #expect(!lamp.backing.isSet(LampSettings.hours))
            lamp.group = nil
            #expect(lamp.backing.isSet(LampSettings.group))
        }
        #expect(lamp.backing.isSet(LampSettings.group))
        #expect(!lamp.backing.isSet(LampSettings.hours))
    }
}

private struct Place: CodableSetting {
    var x: Double
}
