import TestSupport
import Testing

@testable import MQTT

/// A broker as the specification has it (MQTT 5.0, section 4.3), behind a wire that breaks.
private struct ModelBroker {
    /// What it said and the client has not heard.
    var answers: [(type: PacketType, id: UInt16, reason: MQTTReasonCode)] = []
    /// The messages in the order in which they came first, and how often.
    private(set) var order: [Int] = []
    private(set) var deliveries: [Int: Int] = [:]
    /// Messages of QoS 2 that are not released yet.
    private(set) var received: [UInt16: Int] = [:]
    private var unanswered: Set<UInt16> = []
    private var window = 0

    /// One message in eleven.
    static func refuses(_ number: Int) -> Bool { number % 11 == 0 }

    mutating func connect(isResumed: Bool, window: Int) {
        (answers, unanswered, self.window) = ([], [], window)
        if !isResumed { received = [:] }
    }

    mutating func take(_ step: OutboundStep) {
        switch step {
        case .publish(let message, let id, _):
            let number = Int(message.text) ?? 0
            guard message.qos > .atMostOnce else { return deliver(number) }
            #expect(unanswered.insert(id).inserted, "an identifier is in use")
            #expect(unanswered.count <= window, "more than Receive Maximum")
            if message.qos == .atLeastOnce {
                if !Self.refuses(number) { deliver(number) }
                answers.append((.puback, id, Self.refuses(number) ? .notAuthorized : .success))
            } else if let before = received[id] {
                #expect(before == number, "a new message has the identifier of one that is not released")
                answers.append((.pubrec, id, .success))
            } else if Self.refuses(number) {
                answers.append((.pubrec, id, .notAuthorized))
            } else {
                received[id] = number
                deliver(number)
                answers.append((.pubrec, id, .success))
            }
        case .release(let id):
            let isKnown = received.removeValue(forKey: id) != nil
            answers.append((.pubcomp, id, isKnown ? .success : MQTTReasonCode(rawValue: 146)))
        }
    }

    /// The next answer gets through.
    mutating func answer() -> (type: PacketType, id: UInt16, reason: MQTTReasonCode)? {
        guard !answers.isEmpty else { return nil }
        let answer = answers.removeFirst()
        if answer.type != .pubrec || answer.reason.isError { unanswered.remove(answer.id) }
        return answer
    }

    private mutating func deliver(_ number: Int) {
        if deliveries[number] == nil { order.append(number) }
        deliveries[number, default: 0] += 1
    }
}

@Suite struct `Publishing to a model of a broker` {
    private enum End { case acknowledged, refused, failed, cancelled }

    private struct World {
        var random: SeededGenerator
        var queue = PublishQueue<Int>(limit: .max, session: OutboundSession(window: 1))
        var broker = ModelBroker()
        /// What the client sent and the broker has not got.
        var wire: [OutboundStep] = []
        var isConnected = false
        /// The message that was sent last under each identifier in the session.
        var sent: [UInt16: Int] = [:]
        var published: [Int: MQTTQoS] = [:]
        var ends: [Int: End] = [:]

        mutating func settle(_ promises: [Int], _ end: End) {
            for promise in promises { #expect(ends.updateValue(end, forKey: promise) == nil, "settled twice") }
        }

        mutating func publish() {
            let number = published.count + 1
            let qos = [MQTTQoS.atMostOnce, .atLeastOnce, .exactlyOnce][Int.random(in: 0..<3, using: &random)]
            published[number] = qos
            _ = queue.enqueue(UInt64(number), MQTTMessage(topic: "t", payload: "\(number)", qos: qos), number)
        }

        mutating func cancel() {
            let number = Int.random(in: max(0, published.count - 30)...published.count, using: &random)
            if let promise = queue.abandon(UInt64(number)) { settle([promise], .cancelled) }
        }

        mutating func send() {
            guard let step = queue.next() else { return }
            if case .publish(let message, let id, let isRepetition) = step, message.qos > .atMostOnce {
                #expect(isRepetition == (sent[id] == Int(message.text)), "marked wrongly")
                sent[id] = Int(message.text)
            }
            wire.append(step)
        }

        mutating func arrive() {
            if !wire.isEmpty { broker.take(wire.removeFirst()) }
            if wire.isEmpty { settle(queue.written(), .acknowledged) }
        }

        mutating func hear() throws {
            guard let answer = broker.answer() else { return }
            if case .settled(let promise, let reason) = try queue.answered(answer.type, answer.id, answer.reason) {
                settle([promise], reason.isError ? .refused : .acknowledged)
            }
        }

        mutating func connect(isResumed: Bool) {
            let window = Int.random(in: 1...6, using: &random)
            broker.connect(isResumed: isResumed, window: window)
            if !isResumed { sent = [:] }
            let takesLess = Int.random(in: 0..<20, using: &random) == 0
            let failed = queue.connected(isResumed: isResumed, window: window) { message in
                takesLess && message.text.hasSuffix("7") ? MQTTError(.tooLarge, "It ends in 7.") : nil
            }
            settle(failed.map(\.promise), .failed)
            isConnected = true
        }

        mutating func disconnect() {
            for _ in 0..<Int.random(in: 0...wire.count, using: &random) { broker.take(wire.removeFirst()) }
            (wire, isConnected) = ([], false)
            let keepsWaiting = Bool.random(using: &random)
            settle(queue.connectionEnded(keepsSession: true, keepsWaiting: keepsWaiting), .failed)
        }

        mutating func step() throws {
            switch Int.random(in: 0..<100, using: &random) {
            case 0..<20: publish()
            case 20..<22: cancel()
            case _ where !isConnected: connect(isResumed: Int.random(in: 0..<10, using: &random) > 0)
            case 22..<50: send()
            case 50..<75: arrive()
            case 75..<98: try hear()
            default: disconnect()
            }
        }
    }

    @Test(arguments: 0..<100 as Range<UInt64>)
    func `loses nothing that was acknowledged, and delivers QoS 2 once and all in order`(seed: UInt64) throws {
        var world = World(random: SeededGenerator(seed: seed))
        for _ in 0..<2_000 { try world.step() }
        if !world.isConnected { world.connect(isResumed: true) }
        for _ in 0..<100_000 where world.queue.hasPublishers || !world.wire.isEmpty || !world.broker.answers.isEmpty {
            world.send()
            world.arrive()
            try world.hear()
        }
        #expect(world.ends.count == world.published.count, "a publisher waits for ever")
        #expect(world.broker.order == world.broker.order.sorted())
        #expect(world.broker.received.isEmpty, "the broker waits for ever")
        for (number, qos) in world.published {
            let count = world.broker.deliveries[number, default: 0]
            if qos == .exactlyOnce { #expect(count <= 1) }
            if world.ends[number] == .acknowledged { #expect(count >= 1) }
            if world.ends[number] == .refused { #expect(ModelBroker.refuses(number)) }
        }
    }
}
