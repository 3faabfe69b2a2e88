import Testing

@testable import MQTT

@Suite struct `The reconnect schedule` {
    private let policy = MQTTReconnectPolicy(minimum: .seconds(1), maximum: .seconds(60), stableAfter: .seconds(30))

    @Test func `The ceiling doubles up to the maximum and jitter covers all of it`() {
        var schedule = ReconnectSchedule(policy)
        var ceilings: [Duration] = []
        for _ in 0..<8 {
            schedule.failed()
            ceilings.append(schedule.pause(fraction: 1))
            #expect(schedule.pause(fraction: 0) == .seconds(1))
        }
        #expect(ceilings == [2, 4, 8, 16, 32, 60, 60, 60].map { .seconds($0) })
        #expect(schedule.pause(fraction: 0.5) == .seconds(30.5))
    }

    @Test func `A thousand failures don't overflow`() {
        var schedule = ReconnectSchedule(policy)
        for _ in 0..<1_000 { schedule.failed() }
        #expect(schedule.pause(fraction: 1) == .seconds(60))
    }

    @Test func `Only a stable connection makes pauses short again`() {
        var schedule = ReconnectSchedule(policy)
        for _ in 0..<5 { schedule.failed() }
        let suspected1 = schedule.ended(after: .seconds(29), wasPushed: true)
        #expect(!suspected1)
        #expect(schedule.pause(fraction: 1) == .seconds(60))
        let suspected2 = schedule.ended(after: .seconds(30), wasPushed: true)
        #expect(!suspected2)
        #expect(schedule.pause(fraction: 1) == .seconds(2))
    }

    @Test func `Three early losses in a row are a takeover and pauses get longer`() {
        var schedule = ReconnectSchedule(policy)
        let suspected3 = schedule.ended(after: .seconds(1), wasPushed: true)
        #expect(!suspected3)
        let suspected4 = schedule.ended(after: .seconds(1), wasPushed: true)
        #expect(!suspected4)
        #expect(schedule.pause(fraction: 0) == .seconds(1))
        let suspected5 = schedule.ended(after: .seconds(1), wasPushed: true)
        #expect(suspected5)
        #expect(schedule.pause(fraction: 0) == .seconds(4))
        let suspected6 = schedule.ended(after: .seconds(6), wasPushed: true)
        #expect(!suspected6)
        #expect(schedule.pause(fraction: 0) == .seconds(1))
    }

    @Test func `A broker that dies again and again is no takeover`() {
        var schedule = ReconnectSchedule(policy)
        for _ in 0..<10 {
            let isTakeover = schedule.ended(after: .seconds(1), wasPushed: true)
            #expect(!isTakeover)
            schedule.failed()
        }
    }

    @Test func `Connections that we or keep-alive end are no takeover`() {
        var schedule = ReconnectSchedule(policy)
        for _ in 0..<10 {
            let isTakeover = schedule.ended(after: .zero, wasPushed: false)
            #expect(!isTakeover)
        }
    }
}
