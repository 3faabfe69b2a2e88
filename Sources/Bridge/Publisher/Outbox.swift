import MQTT
import Synchronization

/// Messages to send once, in their order, after everything that changed before them: answers and events.
///
/// Bounded: while the broker is away the oldest go, because an answer that comes late says little.
final class Outbox: Sendable {
    /// Yields when there may be something to ``take()``.
    let wakes: AsyncStream<Void>

    private let messages = Mutex<[MQTTMessage]>([])
    private let wake: AsyncStream<Void>.Continuation
    private let limit: Int

    init(limit: Int = 10_000) {
        self.limit = limit
        (wakes, wake) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    /// Takes messages up; nil is one that cannot be.
    func post(_ new: [MQTTMessage?]) {
        let new = new.compactMap(\.self)
        guard !new.isEmpty else { return }
        messages.withLock { messages in
            messages += new
            if messages.count > limit { messages.removeFirst(messages.count - limit) }
        }
        wake.yield()
    }

    func take() -> [MQTTMessage] {
        messages.withLock { messages in
            defer { messages = [] }
            return messages
        }
    }
}
