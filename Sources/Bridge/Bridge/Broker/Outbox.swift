import MQTT
import StoredSettings
import Synchronization

/// Messages to send once, in their order, after everything that changed before them: answers and events.
///
/// Bounded: while the broker is away the oldest go. Events expire, since a reader takes a live message for new.
final class Outbox: Sendable {
    /// A message that waits, or is on its way.
    struct Post: Sendable {
        let message: MQTTMessage
        /// When it is too old to be sent; nil if never.
        let expires: ContinuousClock.Instant?
    }

    /// Yields when there may be something to ``take()``.
    let wakes: AsyncStream<Void>

    /// How long an event is new.
    static let eventLifetime = Duration.seconds(60)

    private let messages = Mutex<[Post]>([])
    private let wake: AsyncStream<Void>.Continuation
    private let limit: Int

    init(limit: Int = 10_000) {
        self.limit = limit
        (wakes, wake) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    /// Adds messages, which are dropped if they are not taken within `lifetime`; nil is one that cannot be sent.
    func post(_ new: [MQTTMessage?], lifetime: Duration? = nil, at now: ContinuousClock.Instant = .now) {
        let new = new.compactMap(\.self).map { Post(message: $0, expires: lifetime.map { now + $0 }) }
        add(new) { $0 += new }
    }

    /// Puts messages back that the broker did not get, before those that wait.
    func putBack(_ posts: [Post]) { add(posts) { $0 = posts + $0 } }

    private func add(_ posts: [Post], _ change: (inout [Post]) -> Void) {
        guard !posts.isEmpty else { return }
        messages.withLock { messages in
            change(&messages)
            if messages.count > limit { messages.removeFirst(messages.count - limit) }
        }
        wake.yield()
    }

    /// Adds the entries of a log to the messages, until it is cancelled.
    func forward(_ log: LogTap, to topic: String, _ counters: BridgeCounters) async {
        for await _ in log.wakes {
            let (entries, dropped) = log.take()
            counters.count(.droppedLogEntries, dropped)
            post(entries.map { MQTTMessage(on: topic, payload: $0.document.json(), qos: .atMostOnce) })
        }
    }

    /// Takes all messages that have not expired.
    func take(at now: ContinuousClock.Instant = .now) -> [MQTTMessage] { takePosts(at: now).map(\.message) }

    /// The same, for who may have to put them back.
    func takePosts(at now: ContinuousClock.Instant = .now) -> [Post] {
        let taken = messages.withLock { messages in
            defer { messages = [] }
            return messages
        }
        return taken.filter { $0.expires.map { now < $0 } ?? true }
    }
}
