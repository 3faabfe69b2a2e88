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

    /// What is known, in this session, of a topic that the broker may hold for us.
    private enum Holding: Hashable {
        case unknown
        /// It is on its way; an answer counts.
        case sent
        /// It was acknowledged, or refused, with this hash.
        case settled(Int)
        /// The broker would not clear it.
        case stuck
    }

    /// By owner: the topics that the broker may hold for us.
    private var holdings: [Owner: [String: Holding]] = [:]

    /// Takes over the topics that an earlier run published.
    init(manifest: [Owner: Set<String>] = [:]) {
        for (owner, topics) in manifest {
            holdings[owner] = Dictionary(uniqueKeysWithValues: topics.map { ($0, .unknown) })
        }
    }

    /// Everybody who has or may have something at the broker.
    var owners: Set<Owner> { Set(holdings.keys) }

    /// The topics that the broker may hold for an owner.
    func manifest(of owner: Owner) -> Set<String> { Set(holdings[owner, default: [:]].keys) }

    /// A new session: whatever was published may be gone.
    mutating func forgetPublished() { holdings = holdings.mapValues { $0.mapValues { _ in .unknown } } }

    /// Somebody else wrote to a topic, or may have.
    mutating func forget(_ topic: String, of owner: Owner) {
        if holdings[owner]?[topic] != nil { holdings[owner]?[topic] = .unknown }
    }

    /// Whether the broker has answered everything, in this session.
    func isSettled(_ owner: Owner) -> Bool {
        holdings[owner, default: [:]].values.allSatisfy { $0 != .unknown && $0 != .sent }
    }

    /// What is to be done so that the broker has `tree` for this owner, and nothing else.
    func steps(for owner: Owner, tree: TopicTree) -> [Step] {
        let held = holdings[owner, default: [:]]
        let gone = held.filter { tree[$0.key] == nil && $0.value != .stuck }.keys.sorted().map(Step.clear)
        let different = tree.filter { held[$0.key] != .settled($0.value.hashValue) }
            .sorted { $0.key < $1.key }
            .map { Step.publish(topic: $0.key, $0.value) }
        return gone + different
    }

    /// The topics belong to other owners from now on.
    mutating func handOver(_ topics: Set<String>, from owner: Owner) {
        guard holdings[owner] != nil else { return }
        holdings[owner] = holdings[owner]?.filter { !topics.contains($0.key) }
        if holdings[owner]?.isEmpty == true { holdings[owner] = nil }
    }

    /// The broker may hold this topic as well, which others published.
    mutating func adopt(_ topic: String, of owner: Owner) {
        if holdings[owner]?[topic] == nil { holdings[owner, default: [:]][topic] = .unknown }
    }

    /// A step is about to be taken: from here on the broker may hold the topic.
    mutating func begin(_ step: Step, for owner: Owner) {
        if case .publish(let topic, _) = step { holdings[owner, default: [:]][topic] = .sent }
    }

    /// The broker acknowledged a step.
    mutating func acknowledge(_ step: Step, for owner: Owner) {
        switch step {
        case .publish(let topic, let message): settle(topic, of: owner, message)
        case .clear(let topic):
            holdings[owner]?.removeValue(forKey: topic)
            if holdings[owner]?.isEmpty == true { holdings[owner] = nil }
        }
    }

    /// The broker refused a step: it is not tried again until what is rendered changes, or the session does.
    mutating func refuse(_ step: Step, for owner: Owner) {
        switch step {
        case .publish(let topic, let message): settle(topic, of: owner, message)
        case .clear(let topic): holdings[owner]?[topic] = .stuck
        }
    }

    /// What was sent before everything was forgotten is to be sent again, whatever is said of it now.
    private mutating func settle(_ topic: String, of owner: Owner, _ message: RetainedMessage) {
        if holdings[owner]?[topic] == .sent { holdings[owner]?[topic] = .settled(message.hashValue) }
    }
}
