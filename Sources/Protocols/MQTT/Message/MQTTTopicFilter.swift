import CMosquitto

/// A topic filter, which is always valid (MQTT 5.0, section 4.7): 1–65,535 bytes of UTF-8 without control characters;
/// `+` stands for one level, `#` for all that follow.
///
/// A string literal is a filter; a wrong one stops the program. Text that is made at run time goes through ``init(_:)``,
/// which throws. Filters are compared by their bytes, as topics are. Shared subscriptions
/// (`$share/…`) are not supported.
public struct MQTTTopicFilter: Sendable, Hashable, CustomStringConvertible, ExpressibleByStringLiteral {
    private let content: PacketText

    /// As it is sent.
    public var text: String { content.text }
    /// The text.
    public var description: String { text }

    /// Whether it has a `+` or a `#`.
    package var hasWildcards: Bool { text.utf8.contains { $0 == UInt8(ascii: "+") || $0 == UInt8(ascii: "#") } }

    /// Checks a filter.
    ///
    /// - Throws: ``MQTTError`` `invalidFilter`, with what is wrong.
    public init(_ text: String) throws(MQTTError) {
        if let problem = Self.problem(with: text) {
            throw MQTTError(.invalidFilter, "This is not a topic filter: \(problem).")
        }
        content = PacketText(text: text)
    }

    /// Takes a literal; stops the program if it is not a topic filter.
    public init(stringLiteral text: String) {
        let problem = Self.problem(with: text)
        precondition(problem == nil, "“\(text)” is not a topic filter: \(problem ?? "")")
        content = PacketText(text: text)
    }

    init(exactly topic: MQTTTopic) { content = PacketText(text: topic.name) }

    /// Whether messages of this topic are meant.
    ///
    /// Wildcards at the front don't match topics that begin with `$` (section 4.7.2).
    package func matches(_ topic: MQTTTopic) -> Bool {
        var matches = false
        return mosquitto_topic_matches_sub(text, topic.name, &matches) == MOSQ_ERR_SUCCESS.rawValue && matches
    }

    private static func problem(with text: String) -> String? {
        if let problem = PacketText(text: text).problem { return problem }
        if text.utf8.starts(with: "$share/".utf8) { return "shared subscriptions are not supported" }
        return mosquitto_sub_topic_check(text) == MOSQ_ERR_SUCCESS.rawValue
            ? nil : "a wildcard is not a level of its own, or a level follows #"
    }
}
