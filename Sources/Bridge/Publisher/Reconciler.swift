/// Knows what the broker has, and says what to publish so that it has what is rendered: a pure difference.
///
/// Owners (printers, and the bridge) are rendered apart from each other; nothing is kept of a payload but its hash.
struct Reconciler<Owner: Hashable & Sendable>: Sendable {
    /// One thing to do at the broker.
    enum Step: Sendable, Hashable {
        case publish(topic: String, RetainedMessage)
        case clear(topic: String)

        var topic: String {
            switch self {
            case .publish(let topic, _), .clear(let topic): topic
            }
        }
    }

    /// By owner: the topics that the broker may hold for us, with the hash of what it acknowledged in this session.
    private var holdings: [Owner: [String: Int?]] = [:]

    /// Takes over the topics that an earlier run published.
    init(manifest: [Owner: Set<String>] = [:]) {
        for (owner, topics) in manifest {
            holdings[owner] = Dictionary(uniqueKeysWithValues: topics.map { ($0, nil) })
        }
    }

    /// Everybody who has or may have something at the broker.
    var owners: Set<Owner> { Set(holdings.keys) }

    /// The topics that the broker may hold for an owner.
    func manifest(of owner: Owner) -> Set<String> { Set(holdings[owner, default: [:]].keys) }

    /// A new session: whatever was published may be gone.
    mutating func forgetPublished() { holdings = holdings.mapValues { $0.mapValues { _ in nil } } }

    /// What is to be done so that the broker has `tree` for this owner, and nothing else.
    func steps(for owner: Owner, tree: TopicTree) -> [Step] {
        let held = holdings[owner, default: [:]]
        let gone = held.keys.filter { tree[$0] == nil }.sorted().map(Step.clear)
        let different = tree.filter { held[$0.key].flatMap(\.self) != $0.value.hashValue }
            .sorted { $0.key < $1.key }
            .map { Step.publish(topic: $0.key, $0.value) }
        return gone + different
    }

    /// A step is about to be taken: from here on the broker may hold the topic.
    mutating func begin(_ step: Step, for owner: Owner) {
        if case .publish(let topic, _) = step { holdings[owner, default: [:]].updateValue(nil, forKey: topic) }
    }

    /// The broker acknowledged a step.
    mutating func acknowledge(_ step: Step, for owner: Owner) {
        switch step {
        case .publish(let topic, let message): holdings[owner]?.updateValue(message.hashValue, forKey: topic)
        case .clear(let topic):
            holdings[owner]?.removeValue(forKey: topic)
            if holdings[owner]?.isEmpty == true { holdings[owner] = nil }
        }
    }

    /// The broker refused a step: it is not tried again until what is rendered changes, or the session does.
    mutating func refuse(_ step: Step, for owner: Owner) {
        if case .publish(let topic, let message) = step {
            holdings[owner]?.updateValue(message.hashValue, forKey: topic)
        }
    }
}
