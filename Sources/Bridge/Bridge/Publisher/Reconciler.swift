import Foundation
import MQTT

/// Compares what the broker has with what is rendered, and returns the messages to publish.
///
/// It keeps only the hash of a payload. Each owner (a printer or the bridge) is compared by itself.
struct Reconciler: Sendable {
    enum Step: Sendable, Hashable {
        case publish(topic: String, RetainedMessage)
        case clear(topic: String)

        var topic: String {
            switch self {
            case .publish(let topic, _), .clear(let topic): topic
            }
        }
    }

    /// The broker's answer to a step, if there is one.
    enum Answer { case taken, refused, none }

    /// What this session knows of a topic that the broker may hold.
    private enum TopicState: Hashable {
        case unknown
        /// A message with this hash is on its way.
        case sent(Int)
        /// A message with this hash was acknowledged, or refused.
        case answered(Int)
        /// An empty message is on its way.
        case clearing
        /// The broker refused to clear it.
        case stuck
    }

    /// The topics that the broker may hold, by owner; an owner without topics has no entry.
    private var held: [TopicGroup: [String: TopicState]] = [:]

    var owners: Set<TopicGroup> { Set(held.keys) }

    func topics(of owner: TopicGroup) -> [String] { held[owner]?.keys.sorted() ?? [] }

    /// Forgets what was published: a new session may have lost it.
    mutating func forgetPublished() {
        held = held.mapValues { $0.mapValues { _ in .unknown } }
    }

    /// Forgets what was published on a topic: another client may have overwritten it.
    mutating func forget(_ topic: String, of owner: TopicGroup) {
        if holds(topic, for: owner) { held[owner]?[topic] = .unknown }
    }

    func holds(_ topic: String, for owner: TopicGroup) -> Bool { held[owner]?[topic] != nil }

    /// The steps after which the broker has `tree` for this owner, and nothing else.
    func steps(for owner: TopicGroup, tree: TopicTree) -> [Step] {
        let held = held[owner, default: [:]]
        let gone = held.filter { tree[$0.key] == nil && $0.value != .stuck && $0.value != .clearing }
            .keys.sorted().map(Step.clear)
        let different = tree.compactMap { topic, message -> Step? in
            let (state, hash) = (held[topic], message.fingerprint)
            return state == .answered(hash) || state == .sent(hash) ? nil : .publish(topic: topic, message)
        }
        return gone + different.sorted { $0.topic < $1.topic }
    }

    /// Removes topics of an owner that belong to another owner now.
    mutating func handOver(_ topics: some Sequence<String>, from owner: TopicGroup) {
        guard held[owner] != nil else { return }
        for topic in topics { held[owner]?[topic] = nil }
        if held[owner]?.isEmpty == true { held[owner] = nil }
    }

    /// Adds a topic that the broker may hold, and that this run did not publish.
    mutating func adopt(_ topic: String, of owner: TopicGroup) {
        if !holds(topic, for: owner) { held[owner, default: [:]][topic] = .unknown }
    }

    /// Records that a step begins: from now on the broker may hold the topic.
    mutating func begin(_ step: Step, for owner: TopicGroup) {
        switch step {
        case .publish(let topic, let message): held[owner, default: [:]][topic] = .sent(message.fingerprint)
        case .clear(let topic): if holds(topic, for: owner) { held[owner]?[topic] = .clearing }
        }
    }

    /// Records the broker's answer to a step, unless a later step for the topic has begun, or everything was forgotten.
    ///
    /// A refused step is tried again in the next session, or with another payload; one without an answer is repeated.
    mutating func record(_ answer: Answer, to step: Step, for owner: TopicGroup) {
        guard isInFlight(step, for: owner) else { return }
        switch (answer, step) {
        case (.none, _): held[owner]?[step.topic] = .unknown
        case (.taken, .publish(_, let message)), (.refused, .publish(_, let message)):
            held[owner]?[step.topic] = .answered(message.fingerprint)
        case (.taken, .clear(let topic)): handOver([topic], from: owner)
        case (.refused, .clear(let topic)): held[owner]?[topic] = .stuck
        }
    }

    /// Whether a step has begun, and is neither answered nor replaced by a later step.
    func isInFlight(_ step: Step, for owner: TopicGroup) -> Bool {
        switch step {
        case .publish(let topic, let message): held[owner]?[topic] == .sent(message.fingerprint)
        case .clear(let topic): held[owner]?[topic] == .clearing
        }
    }
}

extension Reconciler.Step {
    /// The retained message that carries the step out at a time; throws for a topic that cannot be published.
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
        return try MQTTMessage(topic: MQTTTopic(topic), payload: retained.bytes, retain: true, properties: properties)
    }
}
