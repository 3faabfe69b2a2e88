import Testing

@testable import MQTT

@Suite struct `The publish queue` {
    /// Macros cannot change a variable in their argument, but they can call what changes itself.
    private final class Queue {
        private var value: PublishQueue<Int>
        init(limit: Int, window: Int) { value = PublishQueue(limit: limit, window: window) }
        var isEmpty: Bool { value.isEmpty }
        var waitingCount: Int { value.waitingCount }
        var inFlightCount: Int { value.inFlightCount }
        func enqueue(_ ticket: UInt64, _ message: MQTTMessage, _ promise: Int) -> Bool {
            if case .taken = value.enqueue(ticket, message, promise) { true } else { false }
        }
        func next() -> PublishQueue<Int>.Waiting? { value.next() }
        func sent(_ item: PublishQueue<Int>.Waiting, as id: UInt16) -> Int? { value.sent(item, as: id) }
        func answered(_ id: UInt16) -> Int? { value.answered(id) }
        func abandon(_ ticket: UInt64) -> Int? { value.abandon(ticket) }
        func removeAll() -> [Int] { value.removeAll() }
    }

    private func message(_ text: String) -> MQTTMessage { MQTTMessage(topic: "t", payload: text) }

    @Test func `It keeps order, window and limit`() throws {
        let queue = Queue(limit: 3, window: 2)
        for index in 0..<3 { #expect(queue.enqueue(UInt64(index), message("\(index)"), index)) }
        #expect(!queue.enqueue(9, message("9"), 9))
        for index in 0..<2 {
            let item = try #require(queue.next())
            #expect(item.message.text == "\(index)")
            #expect(queue.sent(item, as: UInt16(index + 1)) == nil)
        }
        #expect(queue.next() == nil)
        #expect(queue.answered(1) == 0)
        #expect(queue.answered(1) == nil)
        let last = try #require(queue.next())
        #expect(last.message.text == "2")
        #expect(queue.sent(last, as: 3) == nil)
        #expect(!queue.isEmpty)
        #expect(queue.answered(3) == 2)
        #expect(queue.answered(2) == 1)
        #expect(queue.isEmpty)
    }

    @Test func `Who gives up while waiting is not sent and makes room`() throws {
        let queue = Queue(limit: 2, window: 1)
        #expect(queue.enqueue(0, message("0"), 0))
        #expect(queue.enqueue(1, message("1"), 1))
        #expect(queue.abandon(0) == 0)
        #expect(queue.abandon(0) == nil)
        #expect(queue.enqueue(2, message("2"), 2))
        #expect(queue.waitingCount == 2)
        #expect(try #require(queue.next()).promise == 1)
    }

    @Test func `Who gives up in flight keeps the place until the answer`() throws {
        let queue = Queue(limit: 2, window: 1)
        #expect(queue.enqueue(0, message("0"), 0))
        #expect(queue.enqueue(1, message("1"), 1))
        let item = try #require(queue.next())
        #expect(queue.sent(item, as: 7) == nil)
        #expect(queue.abandon(0) == 0)
        #expect(queue.next() == nil)
        #expect(queue.answered(7) == nil)
        #expect(queue.next()?.promise == 1)
    }

    @Test func `An identifier that comes round again settles the message that it belonged to`() throws {
        let queue = Queue(limit: 2, window: 2)
        #expect(queue.enqueue(0, message("0"), 0))
        #expect(queue.enqueue(1, message("1"), 1))
        #expect(queue.sent(try #require(queue.next()), as: 7) == nil)
        #expect(queue.sent(try #require(queue.next()), as: 7) == 0)
        #expect(queue.answered(7) == 1)
    }

    @Test func `Emptying gives every promise once, in order`() throws {
        let queue = Queue(limit: 10, window: 2)
        for index in 0..<6 { #expect(queue.enqueue(UInt64(index), message("\(index)"), index)) }
        for id in [UInt16(9), 4] { #expect(queue.sent(try #require(queue.next()), as: id) == nil) }
        #expect(queue.abandon(3) == 3)
        #expect(queue.removeAll() == [0, 1, 2, 4, 5])
        #expect(queue.isEmpty)
        #expect(queue.removeAll().isEmpty)
    }

    @Test func `Ten thousand messages pass through without growing`() throws {
        let queue = Queue(limit: 10, window: 5)
        var settled: [Int] = []
        var id: UInt16 = 0
        for index in 0..<10_000 {
            #expect(queue.enqueue(UInt64(index), message(""), index))
            while let item = queue.next() {
                id &+= 1
                #expect(queue.sent(item, as: id) == nil)
            }
            if index >= 4, let promise = queue.answered(id &- UInt16(min(4, queue.inFlightCount - 1))) {
                settled.append(promise)
            }
        }
        #expect(settled == Array(0..<9_996))
    }

    @Test func `The newest of a topic takes the place of one that waits`() {
        var queue = PublishQueue<Int>(limit: 2, window: 1, policy: .newestPerTopic)
        for (ticket, topic) in (["a", "b", "a"] as [MQTTTopic]).enumerated() {
            let admission = queue.enqueue(UInt64(ticket), MQTTMessage(topic: topic, payload: "\(ticket)"), ticket)
            if case .replaced(let older) = admission { #expect(ticket == 2 && older == 0) } else { #expect(ticket < 2) }
        }
        #expect(queue.waitingCount == 2)
        if case .full = queue.enqueue(3, MQTTMessage(topic: "c", payload: ""), 3) {} else { Issue.record("no limit") }
        #expect(queue.next()?.message.text == "2")
    }

    @Test(arguments: [false, true], [false, true])
    func `What ends with a connection comes out, and the rest stays`(keepsSession: Bool, keepsWaiting: Bool) throws {
        var queue = PublishQueue<Int>(limit: 9, window: 2)
        for (ticket, qos) in [MQTTQoS.atMostOnce, .exactlyOnce, .atLeastOnce, .atLeastOnce].enumerated() {
            _ = queue.enqueue(UInt64(ticket), MQTTMessage(topic: "t", payload: "", qos: qos), ticket)
        }
        for id: UInt16 in 1...2 {
            let item = queue.next()
            _ = queue.sent(try #require(item), as: id)
        }
        #expect(queue.abandon(2) == 2)
        let ended = queue.connectionEnded(keepsSession: keepsSession, keepsWaiting: keepsWaiting)
        #expect(ended == [0] + (keepsSession ? [] : [1]) + (keepsWaiting ? [] : [3]))
        #expect(queue.inFlightCount == (keepsSession ? 1 : 0))
        #expect(queue.waitingCount == (keepsWaiting ? 1 : 0))
    }
}
