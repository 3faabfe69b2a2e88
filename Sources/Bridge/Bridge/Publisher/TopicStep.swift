import Foundation
import MQTT

/// Publishes or clears one retained topic.
struct TopicStep: Sendable, Equatable {
    /// The broker's answer, if there is one.
    enum Answer {
        case taken
        /// The broker took the message, and the topic has no subscriber.
        case unheard
        case refused, none
    }

    let owner: TopicOwner
    let part: TopicPart
    let topic: String
    /// The message to publish; nil clears the topic.
    let content: RetainedMessage?

    /// The retained message that carries the step out at a time; throws for a topic that cannot be published.
    func message(at time: Date) throws(MQTTError) -> MQTTMessage {
        let topic = try MQTTTopic(topic)
        let remaining = content?.validUntil?.timeIntervalSince(time)
        // Clear an expired value instead of publishing it again.
        guard let content, remaining ?? .infinity > 0 else {
            return MQTTMessage(topic: topic, payload: [], retain: true)
        }
        var properties = MQTTProperties(isUTF8: true)
        properties.messageExpiry = remaining.map { .seconds($0.rounded(.up)) }
        return MQTTMessage(topic: topic, payload: content.bytes, retain: true, properties: properties)
    }
}
