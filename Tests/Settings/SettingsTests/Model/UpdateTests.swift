import Foundation
import StoredSettings
import Testing

@Suite("A change in one step", .timeLimit(.minutes(5)))
struct UpdateTests {
    private let lamp = LampSettings(store: InMemorySettingsStore())

    @Test func `A change in one step ends although the value is not equal to itself`() {
        let reading = SettingsKey("reading", default: 1.0)
        lamp.storage[reading] = .nan
        lamp.storage.update(reading) { $0 = 2 }
        #expect(lamp.storage[reading] == 2)
    }

    @Test func `A change in one step ends and wins although its own body assigns the setting`() {
        let hours = LampSettings.keys.hours
        lamp.storage.update(hours) { value in
            lamp.hours = 7
            lamp.storage.update(hours) { $0 += 1 }
            value += 1
        }
        #expect(lamp.hours == 51)
    }

    @Test func `A change in one step is retried when another thread comes between its own assignments`() {
        var runs = 0
        lamp.storage.update(LampSettings.keys.hours) { value in
            runs += 1
            if runs == 1 {
                lamp.hours = 7
                // On a thread that knows nothing of the task.
                let thread = Thread { [lamp] in lamp.hours = 100 }
                thread.start()
                while !thread.isFinished { usleep(1_000) }
            }
            value += 1
        }
        #expect(lamp.hours == 101)
    }
}
