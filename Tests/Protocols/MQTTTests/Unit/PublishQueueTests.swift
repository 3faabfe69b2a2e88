import Testing

@testable import MQTT

@Suite("The publish queue")
struct PublishQueueTests {
    private let now = ContinuousClock.now

    private func queue(window: Int, _ tickets: Int...) -> PublishQueue<Int> {
        var queue = PublishQueue<Int>(limit: 10, window: window)
        for ticket in tickets { _ = queue.append(item(ticket)) }
        return queue
    }

    private func item(_ ticket: Int) -> PublishQueue<Int>.Waiting {
        .init(ticket: UInt64(ticket), message: MQTTMessage(topic: "t", payload: "\(ticket)"), promise: ticket)
    }

    @Test func `The publish queue gives out messages in their order, as many as may be in flight`() {
        var queue = queue(window: 2, 1, 2, 3)
        for identifier: UInt16 in 1...2 {
            let item = queue.next()
            #expect(item?.promise == Int(identifier))
            if let item { queue.sent(item, as: identifier, at: now) }
        }
        #expect(queue.next() == nil)
        let first = queue.acknowledged(1)
        #expect(first == 1)
        let next = queue.next()
        #expect(next?.promise == 3)
    }

    @Test func `The publish queue returns each promise once, whatever comes first`() {
        var queue = queue(window: 1, 1, 2)
        if let item = queue.next() { queue.sent(item, as: 7, at: now) }
        let (waiting, inFlight) = (queue.abandon(2), queue.abandon(1))
        #expect((waiting, inFlight) == (2, 1))
        let (late, unknown) = (queue.acknowledged(7), queue.acknowledged(7))
        #expect(late == nil && unknown == nil)
        #expect(!queue.hasPublishers)
    }

    @Test func `The publish queue knows the oldest message without an answer`() {
        var queue = queue(window: 3, 1, 2, 3)
        for index in 0..<3 {
            if let item = queue.next() { queue.sent(item, as: UInt16(index + 1), at: now + .seconds(index)) }
        }
        _ = queue.acknowledged(2)
        let oldest = queue.oldest
        #expect(oldest == now)
        _ = queue.acknowledged(1)
        let next = queue.oldest
        #expect(next == now + .seconds(2))
        _ = queue.acknowledged(3)
        let none = queue.oldest
        #expect(none == nil)
    }

    @Test func `The publish queue knows all promises that are open, the oldest first`() {
        var queue = queue(window: 1, 1, 2)
        if let item = queue.next() { queue.sent(item, as: 1, at: now) }
        #expect(queue.promises == [1, 2])
    }
}
