import Concurrency
import MQTT
import Printers
import StoredSettings
import Synchronization

/// Answers and events, which are sent once, in their order, after the topics that changed before them.
///
/// While the broker is away, the oldest are dropped at a limit. Events expire: readers expect a live message to be new.
final class Outbox: Sendable {
    /// How long a post is worth sending.
    enum Kind: Sendable {
        /// An answer, or an entry of the log: however late.
        case answer
        /// An event, or a retained state that another one follows soon.
        case event(until: ContinuousClock.Instant)
        /// An event that is sent however late; `answered` is called when the broker has answered, also with a refusal.
        case owedEvent(answered: @Sendable () -> Void)
    }

    struct Post: Sendable {
        let message: MQTTMessage
        let kind: Kind
        /// Its place among all posts.
        let number: Int

        var answered: (@Sendable () -> Void)? { if case .owedEvent(let answered) = kind { answered } else { nil } }

        fileprivate func isCurrent(at now: ContinuousClock.Instant) -> Bool {
            if case .event(let end) = kind { now < end } else { true }
        }
    }

    static let eventLifetime = Duration.seconds(60)

    private let posts: Inbox<[Post]>
    /// Events that no client has received.
    private let unheard = Inbox<[Post]>([])
    private let limit: Int
    private let count = Atomic(0)
    /// Sends later posts, once the bridge has published `offline`; nil until then.
    private let late = Mutex<(@Sendable ([Post]) -> Void)?>(nil)

    init(limit: Int = 10_000, waking wakeup: Wakeup = Wakeup()) {
        self.limit = limit
        posts = Inbox([], waking: wakeup)
    }

    /// Adds messages; a nil message is left out.
    func post(_ new: [MQTTMessage?], as kind: Kind) {
        let new = new.compactMap(\.self).map { message in
            Post(message: message, kind: kind, number: count.add(1, ordering: .relaxed).newValue)
        }
        if new.isEmpty { return }
        late.withLock { send in
            if let send { send(new) } else { add(new) { $0 += new } }
        }
    }

    /// Whether the bridge has sent its last messages: only answers to messages that are being handled follow.
    var isClosed: Bool { late.withLock { $0 != nil } }

    /// Takes all posts; later ones are sent at once by `send`.
    func close(_ send: @escaping @Sendable ([Post]) -> Void) -> [Post] {
        late.withLock { late in
            late = send
            return take()
        }
    }

    /// Adds messages that were lost with a connection, each at its place: a connection may lose several batches.
    func putBack(_ posts: [Post]) { add(posts) { $0 = (posts + $0).sorted { $0.number < $1.number } } }

    /// Keeps an event that no client has received, as the broker says, for ``repeatUnheard()``.
    func keepUnheard(_ post: Post, at now: ContinuousClock.Instant = .now) {
        let kind: Kind
        switch post.kind {
        case .event where !post.message.retain: kind = post.kind
        case .owedEvent: kind = .event(until: now + Self.eventLifetime)
        case .answer, .event: return
        }
        let event = Post(message: post.message, kind: kind, number: post.number)
        unheard.add { [limit] events in
            if events.count >= limit { events.removeFirst(limit / 2) }
            events.append(event)
        }
    }

    /// Posts the events again that no client has received: one that reads events is back.
    func repeatUnheard() { putBack(unheard.take()) }

    private func add(_ new: [Post], _ change: (inout [Post]) -> Void) {
        guard !new.isEmpty else { return }
        posts.add { [limit] posts in
            change(&posts)
            if posts.count > limit { posts.removeFirst(posts.count - limit) }
        }
    }

    func forward(_ log: LogTap, to topic: String, _ counters: BridgeCounters) async {
        while let (entries, dropped) = await log.inbox.next() {
            counters.count(.droppedLogEntries, dropped)
            post(entries.map { MQTTMessage(on: topic, payload: $0.json(), qos: .atMostOnce) }, as: .answer)
        }
    }

    /// The number of the last post so far.
    var last: Int { count.load(ordering: .relaxed) }

    /// Takes the first posts, up to one with this number, without those that are too old; later ones stay.
    func take(_ most: Int = .max, upTo last: Int = .max, at now: ContinuousClock.Instant = .now) -> [Post] {
        let waiting = posts.take().filter { $0.isCurrent(at: now) }
        let taken = waiting.prefix(most).prefix { $0.number <= last }
        putBack(Array(waiting[taken.endIndex...]))
        return Array(taken)
    }
}
