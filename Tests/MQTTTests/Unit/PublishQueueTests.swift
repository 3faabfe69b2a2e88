import TestSupport
import Testing

@testable import MQTT

@Suite struct `The publish queue` {
    /// Macros cannot change a variable in their argument, but they can call what changes itself.
    private final class Queue {
        private var value: PublishQueue<Int>
        init(limit: Int, window: Int) { value = PublishQueue(limit: limit, session: OutboundSession(window: window)) }
        var hasPublishers: Bool { value.hasPublishers }
        var waitingCount: Int { value.waitingCount }
        func enqueue(_ ticket: Int, qos: MQTTQoS = .atLeastOnce) -> Bool {
            let message = MQTTMessage(topic: "t", payload: "\(ticket)", qos: qos)
            return if case .taken = value.enqueue(UInt64(ticket), message, ticket) { true } else { false }
        }
        /// Text and identifier of what is to be published next.
        func next() -> (text: String, id: UInt16)? {
            guard case .publish(let message, let id, _) = value.next() else { return nil }
            return (message.text, id)
        }
        func answered(_ id: UInt16) throws -> Int? {
            guard case .settled(let promise, _) = try value.answered(.puback, id, .success) else { return nil }
            return promise
        }
        func written() -> [Int] { value.written() }
        func abandon(_ ticket: UInt64) -> Int? { value.abandon(ticket) }
        func removeAll() -> [Int] { value.removeAll(keepsSession: false) }
    }

    @Test func `It keeps order, window and limit`() throws {
        let queue = Queue(limit: 3, window: 2)
        for ticket in 0..<3 { #expect(queue.enqueue(ticket)) }
        #expect(!queue.enqueue(9))
        let first = try #require(queue.next())
        let second = try #require(queue.next())
        #expect([first.text, second.text] == ["0", "1"])
        #expect(queue.next() == nil)
        #expect(try queue.answered(first.id) == 0)
        #expect(try queue.answered(first.id) == nil)
        let last = try #require(queue.next())
        #expect(last.text == "2")
        #expect(queue.hasPublishers)
        #expect(try queue.answered(last.id) == 2)
        #expect(try queue.answered(second.id) == 1)
        #expect(!queue.hasPublishers)
    }

    @Test func `Who gives up while waiting is not sent and makes room`() throws {
        let queue = Queue(limit: 2, window: 1)
        #expect(queue.enqueue(0))
        #expect(queue.enqueue(1))
        #expect(queue.abandon(0) == 0)
        #expect(queue.abandon(0) == nil)
        #expect(queue.enqueue(2))
        #expect(queue.waitingCount == 2)
        #expect(queue.next()?.text == "1")
    }

    @Test func `Who gives up in flight keeps the place until the answer`() throws {
        let queue = Queue(limit: 2, window: 1)
        #expect(queue.enqueue(0))
        #expect(queue.enqueue(1))
        let id = try #require(queue.next()).id
        #expect(queue.abandon(0) == 0)
        #expect(queue.next() == nil)
        #expect(try queue.answered(id) == nil)
        #expect(queue.next()?.text == "1")
    }

    @Test func `QoS 0 is settled by being written, and needs no place in the window`() {
        let queue = Queue(limit: 9, window: 1)
        for ticket in 0..<3 { #expect(queue.enqueue(ticket, qos: .atMostOnce)) }
        for ticket in 0..<3 { #expect(queue.next()?.text == "\(ticket)") }
        #expect(queue.abandon(1) == 1)
        #expect(queue.written() == [0, 2])
        #expect(!queue.hasPublishers)
        #expect(queue.written().isEmpty)
    }

    @Test func `Emptying gives every promise once, in order`() throws {
        let queue = Queue(limit: 10, window: 2)
        for ticket in 0..<6 { #expect(queue.enqueue(ticket)) }
        for _ in 0..<2 { #expect(queue.next() != nil) }
        #expect(queue.abandon(3) == 3)
        #expect(queue.removeAll() == [0, 1, 2, 4, 5])
        #expect(!queue.hasPublishers)
        #expect(queue.removeAll().isEmpty)
    }

    @Test func `A hundred thousand messages pass through without growing`() throws {
        let queue = Queue(limit: 10, window: 5)
        var (open, settled): ([UInt16], [Int]) = ([], [])
        for ticket in 0..<100_000 {
            #expect(queue.enqueue(ticket))
            while let item = queue.next() { open.append(item.id) }
            if open.count == 5, let promise = try queue.answered(open.removeFirst()) { settled.append(promise) }
        }
        #expect(settled == Array(0..<99_996))
    }

    @Test func `The newest of a topic takes the place of one that waits`() throws {
        var queue = PublishQueue<Int>(limit: 2, session: OutboundSession(window: 1), policy: .newestPerTopic)
        for (ticket, topic) in (["a", "b", "a"] as [MQTTTopic]).enumerated() {
            let admission = queue.enqueue(UInt64(ticket), MQTTMessage(topic: topic, payload: "\(ticket)"), ticket)
            if case .replaced(let older) = admission { #expect(ticket == 2 && older == 0) } else { #expect(ticket < 2) }
        }
        #expect(queue.waitingCount == 2)
        if case .full = queue.enqueue(3, MQTTMessage(topic: "c", payload: ""), 3) {} else { Issue.record("no limit") }
        let next = queue.next()
        guard case .publish(let message, _, _) = next else { throw TestFailure("nothing to send") }
        #expect(message.text == "2")
    }

    @Test(arguments: [false, true], [false, true])
    func `What ends with a connection comes out, and the rest stays`(keepsSession: Bool, keepsWaiting: Bool) throws {
        var queue = PublishQueue<Int>(limit: 9, session: OutboundSession(window: 2))
        for (ticket, qos) in [MQTTQoS.atMostOnce, .exactlyOnce, .atLeastOnce, .atLeastOnce].enumerated() {
            _ = queue.enqueue(UInt64(ticket), MQTTMessage(topic: "t", payload: "", qos: qos), ticket)
        }
        while queue.next() != nil {}
        #expect(queue.abandon(2) == 2)
        let ended = queue.connectionEnded(keepsSession: keepsSession, keepsWaiting: keepsWaiting)
        #expect(ended == (keepsSession ? [] : [1]) + [0] + (keepsWaiting ? [] : [3]))
        #expect(queue.waitingCount == (keepsWaiting ? 1 : 0))
        #expect(queue.connected(isResumed: true, window: 9) { _ in nil }.isEmpty)
        var (repetitions, others) = (0, 0)
        while case .publish(_, _, let isRepetition) = queue.next() {
            if isRepetition { repetitions += 1 } else { others += 1 }
        }
        #expect(repetitions == (keepsSession ? 2 : 0))
        #expect(others == (keepsWaiting ? 1 : 0))
    }

    @Test func `What the session has is completed in the next run, and nobody waits for it`() throws {
        var queue = PublishQueue<Int>(limit: 9, session: OutboundSession(window: 2))
        for ticket in 0..<3 {
            _ = queue.enqueue(UInt64(ticket), MQTTMessage(topic: "t", payload: "\(ticket)", qos: .exactlyOnce), ticket)
        }
        while queue.next() != nil {}
        #expect(queue.removeAll(keepsSession: true) == [0, 1, 2])
        #expect(!queue.hasPublishers)
        #expect(queue.connected(isResumed: true, window: 9) { _ in nil }.isEmpty)
        var texts: [String] = []
        while case .publish(let message, _, true) = queue.next() { texts.append(message.text) }
        #expect(texts == ["0", "1"])
    }

    @Test(arguments: [false, true])
    func `A publisher whose message took the place of another can give up, as can the one after`(isFirst: Bool) {
        var queue = PublishQueue<Int>(limit: 9, session: OutboundSession(window: 9), policy: .newestPerTopic)
        for (ticket, topic) in (["a", "a", "b"] as [MQTTTopic]).enumerated() {
            _ = queue.enqueue(UInt64(ticket), MQTTMessage(topic: topic, payload: "\(ticket)"), ticket)
        }
        #expect(queue.abandon(0) == nil)
        #expect(queue.abandon(isFirst ? 1 : 2) == (isFirst ? 1 : 2))
        var texts: [String] = []
        while case .publish(let message, _, _) = queue.next() { texts.append(message.text) }
        #expect(texts == [isFirst ? "2" : "1"])
    }

    @Test(.timeLimit(.minutes(1)))
    func `As many publishers as there are can give up in any order`() {
        let queue = Queue(limit: .max, window: 1)
        for ticket in 0..<100_000 { _ = queue.enqueue(ticket) }
        for ticket in (0..<100_000).reversed() { _ = queue.abandon(UInt64(ticket)) }
        #expect(!queue.hasPublishers)
    }

    @Test(arguments: [false, true])
    func `What a new connection cannot take fails, and the rest goes on`(isResumed: Bool) throws {
        var queue = PublishQueue<Int>(limit: 9, session: OutboundSession(window: 2))
        for ticket in 0..<6 {
            let message = MQTTMessage(topic: ticket % 2 == 0 ? "even" : "odd", payload: "\(ticket)")
            _ = queue.enqueue(UInt64(ticket), message, ticket)
        }
        while queue.next() != nil {}
        #expect(queue.connectionEnded(keepsSession: true, keepsWaiting: true).isEmpty)
        let failed = queue.connected(isResumed: isResumed, window: 9) { message in
            message.topic == "odd" ? MQTTError(.tooLarge, "odd") : nil
        }
        #expect(failed.map(\.promise) == (isResumed ? [1, 3, 5] : [0, 1, 3, 5]))
        #expect(Set(failed.filter { $0.promise > 1 }.map(\.error.code)) == [.tooLarge])
        #expect(Set(failed.filter { $0.promise < 2 }.map(\.error.code)) == [.connectionLost])
        var texts: [String] = []
        while case .publish(let message, _, let isRepetition) = queue.next() {
            #expect(isRepetition == (message.text == "0"))
            texts.append(message.text)
        }
        #expect(texts == (isResumed ? ["0", "2", "4"] : ["2", "4"]))
    }
}
