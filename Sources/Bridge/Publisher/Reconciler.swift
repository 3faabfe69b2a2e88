import Foundation
import MQTT

/// Knows what the broker has, and says what to publish so that it has what is rendered: a pure difference.
///
/// Owners (printers, and the bridge) are rendered apart from each other; nothing is kept of a payload but its hash.
struct Reconciler: Sendable {
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
    private enum TopicState: Hashable {
        case unknown
        /// A message with this hash is on its way.
        case sent(Int)
        /// A message with this hash was acknowledged, or refused.
        case settled(Int)
        /// An empty message is on its way.
        case clearing
        /// The broker would not clear it.
        case stuck
    }

    /// By owner: the topics that the broker may hold for us.
    private var states: [TopicGroup: [String: TopicState]] = [:]

    /// Takes over the topics that an earlier run published.
    init(manifest: [TopicGroup: Set<String>] = [:]) {
        for (owner, topics) in manifest {
            states[owner] = Dictionary(uniqueKeysWithValues: topics.map { ($0, .unknown) })
        }
    }

    /// The owners that have, or may have, topics at the broker.
    var owners: Set<TopicGroup> { Set(states.keys) }

    /// The topics that the broker may hold for an owner.
    func manifest(of owner: TopicGroup) -> Set<String> { Set(states[owner, default: [:]].keys) }

    /// A new session: whatever was published may be gone.
    mutating func forgetPublished() { states = states.mapValues { $0.mapValues { _ in .unknown } } }

    /// Another client wrote to a topic, or may have.
    mutating func forget(_ topic: String, of owner: TopicGroup) {
        if states[owner]?[topic] != nil { states[owner]?[topic] = .unknown }
    }

    /// Whether the broker may hold a topic for an owner.
    func holds(_ topic: String, for owner: TopicGroup) -> Bool { states[owner]?[topic] != nil }

    /// The steps after which the broker has `tree` for this owner, and nothing else.
    func steps(for owner: TopicGroup, tree: TopicTree) -> [Step] {
        let held = states[owner, default: [:]]
        let gone = held.filter { tree[$0.key] == nil && $0.value != .stuck && $0.value != .clearing }
            .keys.sorted().map(Step.clear)
        let different = tree.filter { topic, message in
            let hash = message.fingerprint
            return held[topic] != .settled(hash) && held[topic] != .sent(hash)
        }
        .sorted { $0.key < $1.key }
        .map { Step.publish(topic: $0.key, $0.value) }
        return gone + different
    }

    /// The topics belong to other owners from now on.
    mutating func handOver(_ topics: some Sequence<String>, from owner: TopicGroup) {
        guard var held = states.removeValue(forKey: owner) else { return }
        for topic in topics { held[topic] = nil }
        if !held.isEmpty { states[owner] = held }
    }

    /// The broker may hold this topic as well, which others published.
    mutating func adopt(_ topic: String, of owner: TopicGroup) {
        if states[owner]?[topic] == nil { states[owner, default: [:]][topic] = .unknown }
    }

    /// A step is being taken: from here on the broker may hold the topic.
    mutating func begin(_ step: Step, for owner: TopicGroup) {
        switch step {
        case .publish(let topic, let message): states[owner, default: [:]][topic] = .sent(message.fingerprint)
        case .clear(let topic): if holds(topic, for: owner) { states[owner]?[topic] = .clearing }
        }
    }

    /// The broker acknowledged a step.
    mutating func acknowledge(_ step: Step, for owner: TopicGroup) {
        switch step {
        case .publish(_, let message): replace(step, for: owner, by: .settled(message.fingerprint))
        case .clear: replace(step, for: owner, by: nil)
        }
        if states[owner]?.isEmpty == true { states[owner] = nil }
    }

    /// The broker refused a step: it is not tried again until what is rendered changes, or the session does.
    mutating func refuse(_ step: Step, for owner: TopicGroup) {
        switch step {
        case .publish(_, let message): replace(step, for: owner, by: .settled(message.fingerprint))
        case .clear: replace(step, for: owner, by: .stuck)
        }
    }

    /// A step got no answer, and must be repeated.
    mutating func fail(_ step: Step, for owner: TopicGroup) { replace(step, for: owner, by: .unknown) }

    /// Takes an answer, unless a later step for the topic was taken, or everything was forgotten.
    private mutating func replace(_ step: Step, for owner: TopicGroup, by state: TopicState?) {
        let expected: TopicState =
            switch step {
            case .publish(_, let message): .sent(message.fingerprint)
            case .clear: .clearing
            }
        if states[owner]?[step.topic] == expected { states[owner]?[step.topic] = state }
    }
}

extension Reconciler.Step {
    /// The retained message that carries the step out at a time.
    ///
    /// - Throws: ``MQTTError`` for a topic that cannot be published.
    func message(at time: Date) throws(MQTTError) -> MQTTMessage {
        guard case .publish(let topic, let retained) = self else {
            return try MQTTMessage(topic: MQTTTopic(topic), payload: [], retain: true)
        }
        var properties = MQTTProperties(isUTF8: true)
        if let validUntil = retained.validUntil {
            let remaining = validUntil.timeIntervalSince(time)
            // Clear an expired value instead of publishing it again.
            guard remaining > 0 else { return try Self.clear(topic: topic).message(at: time) }
            properties.messageExpiry = .seconds(remaining.rounded(.up))
        }
        return try MQTTMessage(
            topic: MQTTTopic(topic),
            payload: retained.bytes,
            retain: true,
            properties: properties
        )
    }
}
