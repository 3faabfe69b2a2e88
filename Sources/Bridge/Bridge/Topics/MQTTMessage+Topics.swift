import Foundation
import JSON
import MQTT
import PrinterReport
import Printers
import Recorder

extension MQTTMessage {
    /// A message on one of the bridge's topics; nil if a client's text in its name makes it too long.
    init?(on topic: String, payload: [UInt8], qos: MQTTQoS = .atLeastOnce, retain: Bool = false) {
        guard let topic = try? MQTTTopic(topic) else { return nil }
        self.init(topic: topic, payload: payload, qos: qos, retain: retain)
    }

    init?(on topic: String, payload: String, qos: MQTTQoS = .atLeastOnce, retain: Bool = false) {
        self.init(on: topic, payload: Array(payload.utf8), qos: qos, retain: retain)
    }
}

extension Topics {
    /// An answer on the bridge's topic for it, and on the response topic of an MQTT 5 message (MQTT 5, section 4.10); one
    /// answer if both are the same topic.
    func answers(to message: MQTTMessage, on topic: String, payload: String) -> [MQTTMessage?] {
        let answer = MQTTMessage(on: topic, payload: payload)
        guard let response = message.properties.responseTopic, allowsResponse(on: response.name) else {
            return [answer]
        }
        let properties = MQTTProperties(correlationData: message.properties.correlationData)
        let requested = MQTTMessage(topic: response, payload: payload, properties: properties)
        return response.name.isSameBytes(as: topic) ? [requested] : [answer, requested]
    }

    /// An event as a message on `B/<p>/event`.
    func event(_ type: String, of id: PrinterID, at time: Date, _ details: [String: JSONValue]) -> MQTTMessage? {
        let fields: [String: JSONValue] = ["event_type": .string(type), "time": .time(time)]
        return MQTTMessage(on: event(id), payload: JSONValue.object(fields.merging(details) { $1 }).json())
    }
}

extension PrintEvent {
    /// What the event says besides its type.
    var details: [String: JSONValue] {
        var details = fault?.json.objectValue ?? [:]
        details["reason"] = reason.map(JSONValue.string)
        details["job"] = job.map(JSONValue.string)
        details["filament"] = filament.map(PrintState.json)
        return details
    }
}

extension ClipName {
    /// Where the page's port has the clip and its picture.
    var paths: [String: JSONValue] { ["clip": .string(clipPath), "picture": .string(picturePath)] }
}
