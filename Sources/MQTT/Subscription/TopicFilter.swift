/// The rules of topic names and topic filters (MQTT 5.0, section 4.7).
struct TopicFilter: Sendable, Hashable {
    /// As it is sent to the broker.
    let text: String
    /// What topics are compared with: without the `$share/<group>/` of a shared subscription.
    private let pattern: [UInt8]
    /// The parts of the pattern between the slashes.
    var levels: [Substring] { Self.levels(of: String(decoding: pattern, as: UTF8.self)) }
    /// Whether its messages are shared out among the clients of a group (section 4.8.2).
    var isShared: Bool { text.utf8.starts(with: Self.shared) }

    /// Nil if it is malformed.
    init?(_ text: String) {
        let bytes = Array(text.utf8)
        guard (1...65_535).contains(bytes.count), !bytes.contains(0) else { return nil }
        var pattern = bytes[...]
        if bytes.starts(with: Self.shared) {
            let rest = bytes.dropFirst(Self.shared.count)
            guard let slash = rest.firstIndex(of: Self.slash) else { return nil }
            let group = rest[..<slash]
            guard !group.isEmpty, !group.contains(Self.plus), !group.contains(Self.hash) else { return nil }
            pattern = rest[(slash + 1)...]
            guard !pattern.isEmpty else { return nil }
        }
        let levels = pattern.split(separator: Self.slash, omittingEmptySubsequences: false)
        for (index, level) in levels.enumerated() where level.contains(Self.plus) || level.contains(Self.hash) {
            guard level.count == 1, level.first == Self.plus || index == levels.count - 1 else { return nil }
        }
        self.text = text
        self.pattern = Array(pattern)
    }

    /// Whether messages with this topic are meant.
    ///
    /// Wildcards at the front don't match topics that begin with `$`.
    func matches(_ topic: String) -> Bool {
        var topic = topic
        return topic.withUTF8 { topic in
            if topic.first == Self.dollar, pattern.first == Self.plus || pattern.first == Self.hash { return false }
            var at = 0
            var index = 0
            while index < pattern.count {
                switch pattern[index] {
                case Self.hash:
                    return true
                case Self.plus:
                    while at < topic.count, topic[at] != Self.slash { at += 1 }
                case let byte where at < topic.count && byte == topic[at]:
                    at += 1
                default:
                    // "a/#" means "a" too.
                    return at == topic.count && pattern[index...].elementsEqual([Self.slash, Self.hash])
                }
                index += 1
            }
            return at == topic.count
        }
    }

    /// The parts of a topic or a pattern between the slashes.
    static func levels(of text: String) -> [Substring] {
        text.utf8.split(separator: slash, omittingEmptySubsequences: false).map(Substring.init)
    }

    /// Whether a message can be published with this topic.
    static func isName(_ topic: String) -> Bool {
        var topic = topic
        return topic.withUTF8 { bytes in
            (1...65_535).contains(bytes.count) && !bytes.contains { $0 == plus || $0 == hash || $0 == 0 }
        }
    }

    private static let shared = Array("$share/".utf8)
    private static let slash = UInt8(ascii: "/")
    private static let plus = UInt8(ascii: "+")
    private static let hash = UInt8(ascii: "#")
    private static let dollar = UInt8(ascii: "$")
}
