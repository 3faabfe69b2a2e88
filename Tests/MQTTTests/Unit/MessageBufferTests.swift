import Testing

@testable import MQTT

@Suite struct `The message buffer` {
    private func message(_ topic: MQTTTopic, _ text: String) -> MQTTMessage { MQTTMessage(topic: topic, payload: text) }

    private func drain(_ buffer: inout MessageBuffer) -> [String] {
        var texts: [String] = []
        while let message = buffer.popFirst() { texts.append(message.text) }
        return texts
    }

    @Test func `The newest messages stay and the others are counted`() {
        var buffer = MessageBuffer(.newest(3))
        for index in 0..<5 { buffer.append(message("t", "\(index)")) }
        #expect(buffer.count == 3)
        #expect(buffer.dropped == 2)
        #expect(drain(&buffer) == ["2", "3", "4"])
        #expect(buffer.popFirst() == nil)
    }

    @Test func `The newest of each topic takes the place of the older one`() {
        var buffer = MessageBuffer(.newestPerTopic(2))
        buffer.append(message("a", "a1"))
        buffer.append(message("b", "b1"))
        buffer.append(message("a", "a2"))
        #expect(buffer.dropped == 0)
        buffer.append(message("c", "c1"))
        #expect(buffer.dropped == 1)
        #expect(drain(&buffer) == ["b1", "c1"])
    }

    @Test(arguments: [MQTTBufferPolicy.newest(100), .newestPerTopic(100)])
    func `It behaves like a plain array over many steps`(policy: MQTTBufferPolicy) throws {
        var buffer = MessageBuffer(policy)
        var model: [MQTTMessage] = []
        var random = SystemRandomNumberGenerator()
        for step in 0..<20_000 {
            if Int.random(in: 0..<100, using: &random) < (step / 2_000 % 2 == 0 ? 60 : 40) {
                let new = try message(MQTTTopic("\(Int.random(in: 0..<150, using: &random))"), "\(step)")
                buffer.append(new)
                if case .newestPerTopic = policy, let index = model.firstIndex(where: { $0.topic == new.topic }) {
                    model[index] = new
                } else {
                    if model.count == 100 { model.removeFirst() }
                    model.append(new)
                }
            } else {
                let expected = model.isEmpty ? nil : model.removeFirst()
                guard buffer.popFirst() == expected else {
                    Issue.record("step \(step)")
                    return
                }
            }
            guard buffer.count == model.count else {
                Issue.record("step \(step)")
                return
            }
        }
    }
}
