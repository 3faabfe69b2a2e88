import Testing

@testable import CameraProtocols

@Suite("What keeps a stream alive")
struct SessionUpkeepTests {
    private func packet(_ sequence: UInt16, from source: UInt8 = 1) -> RTPPacket? {
        RTPPacket([0x80, 96, UInt8(sequence >> 8), UInt8(sequence & 255), 0, 0, 0, 0, 0, 0, 0, source, 0x65, 0x88])
    }

    @Test(arguments: [(60, 5, 6), (65, 5, 6), (10, 3, 1), (9, 3, 1), (3, 1, 1), (1, 1, 1), (600, 5, 60)])
    func `A request comes before the timeout, a report every five seconds`(timeout: Int, interval: Int, ticks: Int) {
        var upkeep = SessionUpkeep(timeout: timeout, knowsParameters: true)
        #expect(upkeep.interval == .seconds(interval))
        for _ in 0..<2 {
            for tick in 1...ticks {
                let due = upkeep.tick()
                #expect((due.request != nil) == (tick == ticks), "\(tick)")
            }
        }
    }

    @Test func `The request is one that the server knows`() {
        var upkeep = SessionUpkeep(timeout: 1, knowsParameters: true)
        let first = upkeep.tick()
        upkeep.noteRefusal()
        let second = upkeep.tick()
        #expect(first.request == "GET_PARAMETER" && second.request == "OPTIONS")
        var other = SessionUpkeep(timeout: 1, knowsParameters: false)
        let due = other.tick()
        #expect(due.request == "OPTIONS")
    }

    @Test func `A camera is alive while packets come, a first key frame in a minute, and others in five`() throws {
        var upkeep = SessionUpkeep(timeout: 60, knowsParameters: true)
        let silent = upkeep.tick()
        #expect(silent.report == nil && !silent.isAlive)
        let packets = try (0..<60).map { try #require(packet($0)) }
        _ = upkeep.receive(packets[0])
        var broken = upkeep
        for number in 1...12 {
            _ = broken.receive(packets[number])
            #expect(broken.tick().isAlive == (number < 12), "\(number), and no key frame at all")
        }
        upkeep.receiveKeyFrame()
        let (first, second) = (upkeep.tick(), upkeep.tick())
        #expect(first.isAlive && !second.isAlive)
        for number in 1..<60 {
            _ = upkeep.receive(packets[number])
            let due = upkeep.tick()
            #expect(due.isAlive == (number < 59), "\(number)")
        }
    }

    @Test func `The report names the camera, its highest number and what is missing`() throws {
        var upkeep = SessionUpkeep(timeout: 60, knowsParameters: true)
        for number in [0xfffe, 0xffff, 0, 3] as [UInt16] { _ = upkeep.receive(try #require(packet(number, from: 9))) }
        let due = upkeep.tick()
        let report = try #require(due.report)
        #expect(Array(report.prefix(4)) == [0x81, 201, 0, 7])
        #expect(Array(report[8..<20]) == [0, 0, 0, 9, 0, 0, 0, 2, 0, 1, 0, 3])
        #expect(Array(report[32..<36]) == [0x81, 202, 0, 5] && report.count == 32 + 24)
    }
}

@Suite("Sequence numbers")
struct SequenceWindowTests {
    private func new(_ numbers: [UInt16]) -> [Bool] {
        var window = SequenceWindow()
        return numbers.map { window.isNew($0) }
    }

    @Test func `A packet that was repeated is not new; one that came late is`() {
        #expect(new([5, 6, 6, 8, 7, 7, 8, 9]) == [true, true, false, true, true, false, false, true])
        #expect(new([0xffff, 0, 0xffff, 1]) == [true, true, false, true])
        #expect(new([1_000, 1_100, 1_000]) == [true, true, true], "too late to tell")
    }

    @Test func `Far away it begins anew, as a restarted camera does`() {
        var window = SequenceWindow()
        for number in [10, 11, 30_000, 30_001] as [UInt16] {
            let isNew = window.isNew(number)
            #expect(isNew)
        }
        #expect(window.lost == 0 && window.highest == 30_001)
        _ = window.isNew(30_004)
        #expect(window.lost == 2)
    }
}
