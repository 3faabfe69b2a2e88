import Foundation
import Observation
import SettingsSamples
import StoredSettings
import Testing

@ObservableSettings(scope: "door", prefix: "")
private final class Door {
    var width = 2
    @Setting(in: 0...100_000) var height = 2
    @Secret var code = "1234"

    var area: Int { width * height }
    var sides: [Int] { [width, height] }
    var reading: SIMD2<Double> { [.nan, Double(width)] }
    static let whileRead = LockedValue<(@Sendable () -> Void)?>(nil)
    var interrupted: Int {
        Self.whileRead.exchange(nil)?()
        return area
    }
    var isUnsaved: Bool { committed.width != width }
    var problem: SettingsError.Code? { error(of: \.height)?.code }
    /// Against the rule: a property that is streamed must not assign.
    var assigning: Int {
        width += 0
        return width
    }
    var slow: Int {
        usleep(20_000)
        return width
    }
}

extension SettingValues<Door.SettingKeys> {
    fileprivate var isWide: Bool { self[\.width] > 10 }
}

@Suite("A value that follows from settings", .timeLimit(.minutes(5)))
struct DerivedValueTests {
    private let store = InMemorySettingsStore()

    @Test func `A computed property of the class is a stream, which repeats no value`() async {
        let door = Door(store: store)
        var areas = door.changes(of: \.area).makeAsyncIterator()
        var readings = door.changes(of: \.reading).makeAsyncIterator()
        #expect(await areas.next() == 4)
        #expect(await readings.next()?.y == 2)
        door.width = 4
        #expect(await readings.next()?.y == 4)
        door.height = 1
        door.code = "none of the value's settings"
        door.height = 3
        #expect(await areas.next() == 12)
    }

    @Test func `What is written for both reads from the model, its stream and the snapshot`() async throws {
        let door = Door(store: store)
        var stream = door.changes(of: \.isWide).makeAsyncIterator()
        #expect(await stream.next() == false)
        door.width = 11
        #expect(door.isWide && !door.committed.isWide)
        try await door.commit()
        #expect(door.committed.isWide)
        #expect(await stream.next() == true)
    }

    @Test func `A value is of one moment, whatever other threads assign, and the last one comes`() async {
        let door = Door(store: store)
        let last = 50_000
        let reader = Task.detached {
            var sides: [[Int]] = []
            for await side in door.changes(of: \.sides) {
                sides.append(side)
                if side == [last, last] { break }
            }
            return sides
        }
        Thread.detachNewThread {
            for side in 3...last {
                door.width = side
                door.height = side
            }
        }
        let sides = await reader.value
        // A height that is ahead of its width was read after it.
        #expect(sides.dropFirst().allSatisfy { $0[0] == $0[1] || $0[0] == $0[1] + 1 })
        #expect(zip(sides, sides.dropFirst()).allSatisfy { $0[0] + $0[1] < $1[0] + $1[1] })
    }

    @Test func `A derived value's stream gives a released model's last values, then ends`() async throws {
        let storage = SettingsStorage(schema: Door.schema)
        var door: Door? = Door(storage: storage)
        var areas = try #require(door?.changes(of: \.interrupted)).makeAsyncIterator()
        #expect(await areas.next() == 4)
        door?.width = 7
        let (isChanged, isRead) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        withObservationTracking {
            _ = storage.isSet(Door.keys.height)
        } onChange: {
            // The new value is in place, and no reader is woken yet.
            isChanged.signal()
            isRead.wait()
        }
        Door.whileRead.value = {
            Thread.detachNewThread { storage[Door.keys.height] = 9 }
            isChanged.wait()
        }
        door = nil
        #expect(await areas.next() == 63)
        isRead.signal()
        #expect(await areas.next() == nil)
    }

    @Test func `What the model tells beside its values is followed too`() async throws {
        let door = Door(store: store)
        var unsaved = door.changes(of: \.isUnsaved).makeAsyncIterator()
        #expect(await unsaved.next() == false)
        door.width = 7
        while await unsaved.next() == true {}
        #expect(!door.isUnsaved)
        var problems = door.changes(of: \.problem).makeAsyncIterator()
        #expect(await problems.next() == .some(nil))
        door.height = -1
        #expect(await problems.next() == .invalidValue)
    }

    @Test func `Its reader can be cancelled although a property assigns, or another thread never stops`() async {
        let door = Door(store: store)
        let readers = [
            Task { for await _ in door.changes(of: \.assigning) {} },
            Task { for await _ in door.changes(of: \.slow) {} },
        ]
        let writer = Task.detached {
            while !Task.isCancelled {
                door.height = door.height == 2 ? 3 : 2
                // Tests that run at the same time may block all other threads.
                await Task.yield()
            }
        }
        for reader in readers {
            reader.cancel()
            await reader.value
        }
        writer.cancel()
    }
}

@Suite("The snapshot of a commit")
struct SettingsSnapshotTests {
    private let store = InMemorySettingsStore()

    @Test func `It has each setting by its name, and does not follow assignments`() async throws {
        let door = Door(store: store)
        #expect(door.committed.width == 2 && door.committed.revision == 0 && door.committed.time == nil)
        door.width = 5
        #expect(door.committed.width == 2)
        try await door.commit()
        let committed = door.committed
        #expect(committed.width == 5 && committed.height == 2 && committed.code == "1234")
        #expect(committed.revision == 1 && committed.author == "local" && committed.time != nil)
        door.width = 6
        try await door.commit()
        #expect(committed.width == 5 && door.committed.width == 6)
    }

    @Test func `A value that does not fit is the default, as in the model`() async throws {
        try await store.put("door", ["width": "wide", "height": 7])
        let committed = Door(store: store).committed
        #expect(committed.width == 2 && committed.height == 7 && committed.author == "other")
        #expect(committed.values == ["width": "wide", "height": 7])
        #expect(committed.effective == ["width": 2, "height": 7, "code": .secret("1234")])
    }

    @Test func `Reading it is observed, and told after a commit alone`() async throws {
        let door = Door(store: store)
        let isTold = observe { door.committed }
        door.width = 5
        try await door.commit()
        #expect(isTold.value)
    }

    @Test(arguments: [.secret("canary"), "canary", 4242, ["canary"]] as [JSONValue])
    func `It shows no secret, also one that was stored in clear or is no text`(code: JSONValue) async throws {
        let door = Door(store: store)
        try await store.put("door", ["code": code])
        var text = "\(door.committed)"
        dump(door.committed, to: &text)
        #expect(!text.contains("canary") && !text.contains("4242"))
    }
}
