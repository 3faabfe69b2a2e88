import CMosquitto

/// The name of a topic, which is always valid (MQTT 5.0, section 4.7): 1–65,535 bytes of UTF-8, without the wildcards
/// `+` and `#` and without control characters (section 1.5.4).
///
/// A string literal is a topic; a wrong one stops the program. Text that is made at run time goes through ``init(_:)``,
/// which throws.
///
/// ```swift
/// let state = try MQTTTopic("hall/\(room)/state")
/// ```
///
/// Topics are compared by their bytes: to MQTT, a letter with an accent and the same letter followed by that accent
/// are not the same.
public struct MQTTTopic: Sendable, Hashable, CustomStringConvertible, ExpressibleByStringLiteral {
    private let content: PacketText

    /// As it is sent.
    public var name: String { content.text }
    /// The name.
    public var description: String { name }

    /// Checks a name.
    ///
    /// - Throws: ``MQTTError`` `invalidTopic`, with what is wrong.
    public init(_ name: String) throws(MQTTError) {
        if let problem = Self.problem(with: name) {
            throw MQTTError(.invalidTopic, "This is not the name of a topic: \(problem).")
        }
        self.init(unchecked: name)
    }

    /// Takes a literal; stops the program if it is not the name of a topic.
    public init(stringLiteral name: String) {
        let problem = Self.problem(with: name)
        precondition(problem == nil, "“\(name)” is not the name of a topic: \(problem ?? "")")
        self.init(unchecked: name)
    }

    init(unchecked name: String) { content = PacketText(text: name) }

    private static func problem(with name: String) -> String? {
        PacketText(text: name).problem
            ?? (mosquitto_pub_topic_check(name) == MOSQ_ERR_SUCCESS.rawValue ? nil : "it has a wildcard, + or #")
    }
}
