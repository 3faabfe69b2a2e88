import MQTT
import Testing

@testable import Bridge

@Suite struct OutboxTests {
    private func messages(_ numbers: Range<Int>, topic: MQTTTopic = "t") -> [MQTTMessage] {
        numbers.map { MQTTMessage(topic: topic, payload: "\($0)") }
    }

    @Test func `Events of more than a minute ago are dropped, answers are not`() {
        let (outbox, now) = (Outbox(), ContinuousClock.now)
        outbox.post(messages(0..<1), as: .answer)
        outbox.post(messages(1..<2), as: .event(until: now + .seconds(60)))
        outbox.post(messages(2..<3), as: .event(until: now + .seconds(90)))
        #expect(outbox.take(at: now + .seconds(61)).map(\.message.text) == ["0", "2"])
    }

    @Test func `Unexpired messages lost with a connection are sent again in their order, before all others`() {
        let (outbox, now) = (Outbox(), ContinuousClock.now)
        outbox.post(messages(0..<1), as: .event(until: now + .seconds(60)))
        outbox.post(messages(1..<2), as: .answer)
        let lost = outbox.take(at: now)
        outbox.post(messages(2..<3), as: .answer)
        let lostLater = outbox.take(at: now)
        outbox.post(messages(3..<4), as: .answer)
        outbox.putBack(lost)
        outbox.putBack(lostLater)
        #expect(outbox.take(at: now + .seconds(61)).map(\.message.text) == ["1", "2", "3"])
    }

    @Test func `Events that no client has received are sent once more within a minute, answers and states are not`() {
        let (outbox, now) = (Outbox(), ContinuousClock.now)
        outbox.post(messages(0..<1), as: .answer)
        outbox.post([MQTTMessage(topic: "t", payload: "1", retain: true)], as: .event(until: now + .seconds(60)))
        outbox.post(messages(2..<3), as: .event(until: now + .seconds(60)))
        outbox.post(messages(3..<4), as: .owedEvent {})
        for post in outbox.take(at: now) { outbox.keepUnheard(post, at: now + .seconds(30)) }
        #expect(outbox.take(at: now).isEmpty)
        outbox.repeatUnheard()
        #expect(outbox.take(at: now + .seconds(61)).map(\.message.text) == ["3"])
    }

    @Test func `While nobody takes them the oldest go`() {
        let outbox = Outbox(limit: 10)
        for number in 0..<1_000 { outbox.post(messages(number..<(number + 1)), as: .answer) }
        #expect(outbox.take().map(\.message.text) == (990..<1_000).map { "\($0)" })
    }
}
