import Foundation
import MQTT

extension Reconciler.Step {
    /// The retained message that carries the step out at a time.
    ///
    /// - Throws: What is wrong with its topic.
    func message(at time: Date) throws(MQTTError) -> MQTTMessage {
        guard case .publish(let topic, let retained) = self else {
            return try MQTTMessage(topic: MQTTTopic(topic), payload: [], retain: true)
        }
        var properties = MQTTProperties(isUTF8: true)
        if let validUntil = retained.validUntil {
            let remaining = validUntil.timeIntervalSince(time)
            // What is no longer true is not said again.
            guard remaining > 0 else { return try Self.clear(topic: topic).message(at: time) }
            properties.messageExpiry = .seconds(remaining.rounded(.up))
        }
        return try MQTTMessage(
            topic: MQTTTopic(topic),
            payload: retained.payload,
            retain: true,
            properties: properties
        )
    }
}
