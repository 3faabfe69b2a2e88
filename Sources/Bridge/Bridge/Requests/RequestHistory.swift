import JSON
import MQTT

/// The answers of the last minute: a request that comes again is done once, and answered again.
///
/// A request without an id is a new one, unless the broker repeats it at once.
struct RequestHistory: Sendable {
    /// How long, in seconds: longer than any redelivery, shorter than a person's next try.
    static let window = 60.0
    private static let limit = 1_000
    /// Larger requests and answers, in bytes, are not kept.
    private static let sizeLimit = 4_096

    /// How long, in seconds, an equal message counts as a repetition: brokers that repeat a message do so at once.
    static let repetitionWindow = 1.0

    private var latest: (message: MQTTMessage, json: String, time: Double)?
    private var answers: [MQTTMessage: (json: String, time: Double)] = [:]

    /// What makes two messages the same request; two clients may choose the same id.
    ///
    /// Nil for a request without an id, for one that is too large to be kept, and for a retained one: that is refused, and
    /// the same request without the retain flag is a new one.
    static func request(_ message: MQTTMessage, id: JSONValue) -> MQTTMessage? {
        guard id != .null, !message.retain, message.payload.count <= sizeLimit else { return nil }
        let properties = MQTTProperties(responseTopic: message.properties.responseTopic)
        return MQTTMessage(topic: message.topic, payload: message.payload, properties: properties)
    }

    /// The answer to a request that was done; nil for a new one.
    func answer(to request: MQTTMessage, at seconds: Double) -> String? {
        answers[request].flatMap { seconds - $0.time < Self.window ? $0.json : nil }
    }

    /// The answer to the latest request, if a message is its repetition; nil for a new one.
    ///
    /// NanoMQ sends a message once for each subscription, also where only one of them matches.
    func answer(toRepetition message: MQTTMessage, at seconds: Double) -> String? {
        latest.flatMap { $0.message == message && seconds - $0.time < Self.repetitionWindow ? $0.json : nil }
    }

    /// Keeps the answer to the latest request; nil for a request that is done each time it comes.
    mutating func keepLatest(_ json: String?, to message: MQTTMessage, at seconds: Double) {
        latest = message.payload.count <= Self.sizeLimit ? json.map { (message, $0, seconds) } : nil
    }

    /// Keeps an answer, in the place of the oldest if there are too many.
    mutating func keep(_ json: String, to request: MQTTMessage, at seconds: Double) {
        guard json.utf8.count <= Self.sizeLimit else { return }
        if answers.count >= Self.limit, let oldest = answers.min(by: { $0.value.time < $1.value.time }) {
            answers[oldest.key] = nil
        }
        answers[request] = (json, seconds)
    }
}
