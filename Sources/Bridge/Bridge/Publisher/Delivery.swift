import Concurrency
import MQTT
import Printers
import StoredSettings

/// The messages that the client has, and that the broker has not answered yet; for the publisher, on its actor.
final class Delivery {
    enum Content: Sendable {
        case topic(TopicStep)
        case post(Outbox.Post)

        var topic: String {
            switch self {
            case .topic(let step): step.topic
            case .post(let post): post.message.topic.name
            }
        }

        var owner: TopicOwner? { if case .topic(let step) = self { step.owner } else { nil } }
    }

    /// Messages that were handed over together, and how the broker answered each.
    struct Answers: Sendable {
        var contents: [Content]
        var results: [Result<MQTTPublishAcknowledgement, any Error>]
        var session: Int

        /// The answers and events that the broker may not have got.
        var lostPosts: [Outbox.Post] {
            results.indices.filter { results[$0].isLost }.compactMap { index in
                if case .post(let post) = contents[index] { post } else { nil }
            }
        }
    }

    /// Messages that may be unanswered before more is rendered.
    static let limit = 1_000

    let answers = Inbox<[Answers]>([])
    private(set) var unanswered = 0

    private let client: MQTTClient
    private var handed = 0
    private let room = Wakeup()

    init(client: MQTTClient) { self.client = client }

    /// Hands messages to the client, and does not wait for the broker.
    func publish(_ messages: [MQTTMessage], carrying contents: [Content], in session: Int) {
        guard !messages.isEmpty else { return }
        unanswered += messages.count
        handed += messages.count
        client.publish(messages) { [answers] results in
            answers.add { $0.append(Answers(contents: contents, results: results, session: session)) }
        }
    }

    func count(_ answers: Answers) {
        unanswered -= answers.results.count
        if unanswered < Self.limit { room.signal() }
    }

    func waitForRoom() async {
        while unanswered >= Self.limit, !Task.isCancelled { await room.wait(seconds: nil) }
    }

    /// Waits until the broker has answered all messages that were handed to the client before this call.
    ///
    /// It answers in order, so this waits for the last message.
    func drain(within timeout: Duration, while isOpen: () -> Bool) async {
        let (last, end) = (handed, ContinuousClock.now + timeout)
        while isOpen(), handed - unanswered < last, ContinuousClock.now < end {
            guard (try? await Task.sleep(for: .milliseconds(2))) != nil else { return }
        }
    }
}

extension MQTTClient {
    /// Publishes the messages of a bridge that ends, without waiting; lost ones are not sent again.
    func publishLate(
        _ posts: [Outbox.Post],
        _ messages: [MQTTMessage] = [],
        answered: @escaping @Sendable () -> Void = {}
    ) {
        publish(posts.map(\.message) + messages) { results in
            for (post, result) in zip(posts, results) where !result.isLost { post.answered?() }
            answered()
        }
    }
}

extension Result<MQTTPublishAcknowledgement, any Error> {
    /// Whether the connection ended before the broker answered, so that the broker may not have the message.
    var isLost: Bool {
        guard case .failure(let error as MQTTError) = self else { return false }
        return [.connectionLost, .notConnected, .queueFull, .shutDown].contains(error.code)
    }
}
