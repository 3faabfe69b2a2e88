import Foundation
import MQTT

/// Publishes or clears one retained topic.
enum TopicStep: Sendable, Hashable {
    case publish(topic: String, RetainedMessage)
    case clear(topic: String)

    /// The broker's answer, if there is one.
    enum Answer {
        case taken
        /// The broker took the message, and the topic has no subscriber.
        case unheard
        case refused, none
    }

    var topic: String {
        switch self {
        case .publish(let topic, _), .clear(let topic): topic
        }
    }

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
