import DequeModule

/// A bounded queue of messages under a policy.
struct MessageBuffer: Sendable {
    /// How many messages were thrown away because the reader was too slow.
    private(set) var dropped = 0
    /// How much more there may be where nothing is to be dropped.
    static let excess = 1_000
    private let limit: Int
    private let conflates: Bool
    private let drops: Bool
    private var messages: Deque<MQTTMessage> = []
    /// The number of the first of them, counted from the first ever.
    private var firstNumber = 0
    private var newest: [MQTTTopic: Int] = [:]

    init(_ policy: MQTTBufferPolicy) {
        switch policy {
        case .newest(let limit): (self.limit, conflates, drops) = (max(1, limit), false, true)
        case .newestPerTopic(let limit): (self.limit, conflates, drops) = (max(1, limit), true, true)
        case .suspend(let limit): (self.limit, conflates, drops) = (max(1, limit), false, false)
        }
    }

    /// Whether nothing more should come.
    var isFull: Bool { !drops && count >= limit }
    /// Whether enough was taken for more to come.
    var hasRoom: Bool { count <= limit / 2 }
    var count: Int { messages.count }

    mutating func append(_ message: MQTTMessage) {
        if conflates {
            if let number = newest[message.topic] {
                messages[number - firstNumber] = message
                return
            }
            newest[message.topic] = firstNumber + count
        }
        if !drops, message.qos == .atMostOnce, count >= limit + Self.excess {
            dropped += 1
            return
        }
        if drops, count == limit {
            _ = popFirst()
            dropped += 1
        }
        messages.append(message)
    }

    mutating func popFirst() -> MQTTMessage? {
        guard let message = messages.popFirst() else { return nil }
        firstNumber += 1
        if conflates { newest[message.topic] = nil }
        return message
    }

    mutating func removeAll() {
        messages = []
        newest = [:]
    }
}
