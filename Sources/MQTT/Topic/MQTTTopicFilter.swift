/// A topic filter, which cannot be an invalid one (MQTT 5.0, section 4.7): 1–65,535 bytes of UTF-8 without control
/// characters; `+` stands for one level, `#` for all that follow, and `$share/<group>/` in front shares the messages out
/// among the clients of a group (section 4.8.2).
///
/// A literal is one by itself. A wrong literal is a mistake in the program and stops it; what is put together as it
/// runs goes through ``init(_:)``, which throws.
///
/// Filters are compared by their bytes, as topics are.
public struct MQTTTopicFilter: Sendable, Hashable, CustomStringConvertible, ExpressibleByStringLiteral {
    private let content: Bytewise<String>
    /// Where that begins with which topics are compared: behind the `$share/<group>/` of a shared subscription.
    private let start: Int

    /// As it is sent.
    public var text: String { content.text }
    /// The text.
    public var description: String { text }
    /// Whether its messages are shared out among the clients of a group.
    public var isShared: Bool { start > 0 }
    /// Whether it has a `+` or a `#`.
    public var hasWildcards: Bool { text.utf8.contains(where: TopicSyntax.isWildcard) }

    /// Checks a filter.
    ///
    /// - Throws: ``MQTTError`` `invalidFilter`, with what is wrong.
    public init(_ text: String) throws(MQTTError) {
        switch Self.judge(text) {
        case .success(let start): (content, self.start) = (Bytewise(text: text), start)
        case .failure(let fault):
            throw MQTTError(.invalidFilter, "This is not a topic filter: \(fault.problem).")
        }
    }

    /// Takes a literal; stops the program if it is not a topic filter.
    public init(stringLiteral text: String) {
        switch Self.judge(text) {
        case .success(let start): (content, self.start) = (Bytewise(text: text), start)
        case .failure(let fault): preconditionFailure("“\(text)” is not a topic filter: \(fault.problem)")
        }
    }

    /// Whether messages of this topic are meant.
    ///
    /// Wildcards at the front don't match topics that begin with `$` (section 4.7.2).
    public func matches(_ topic: MQTTTopic) -> Bool {
        var (text, name) = (text, topic.name)
        return text.withUTF8 { text in
            name.withUTF8 { Self.matches(UnsafeBufferPointer(rebasing: text[start...]), $0) }
        }
    }

    /// The parts between the slashes, of that with which topics are compared.
    var levels: [Substring] {
        text.utf8.dropFirst(start).split(separator: TopicSyntax.slash, omittingEmptySubsequences: false)
            .map(Substring.init)
    }
}

extension MQTTTopicFilter {
    private struct Fault: Error {
        let problem: String
    }

    private static let shared = Array("$share/".utf8)

    /// Where the pattern begins.
    private static func judge(_ text: String) -> Result<Int, Fault> {
        func fault(_ problem: String) -> Result<Int, Fault> { .failure(Fault(problem: problem)) }
        if let problem = TopicSyntax.problem(with: text) { return fault(problem) }
        let bytes = Array(text.utf8)
        var pattern = bytes[...]
        if bytes.starts(with: shared) {
            let rest = bytes.dropFirst(shared.count)
            let group = rest.prefix { $0 != TopicSyntax.slash }
            guard !group.isEmpty, !group.contains(where: TopicSyntax.isWildcard) else {
                return fault("the group behind $share/ is empty or has a wildcard")
            }
            pattern = rest.dropFirst(group.count + 1)
            guard !pattern.isEmpty else { return fault("nothing follows the group behind $share/") }
        }
        let levels = pattern.split(separator: TopicSyntax.slash, omittingEmptySubsequences: false)
        for (index, level) in levels.enumerated() where level.contains(where: TopicSyntax.isWildcard) {
            guard level.count == 1 else { return fault("a wildcard is not a level of its own") }
            guard level.first == TopicSyntax.plus || index == levels.count - 1 else {
                return fault("a level follows #")
            }
        }
        return .success(pattern.startIndex)
    }

    private static func matches(_ pattern: UnsafeBufferPointer<UInt8>, _ topic: UnsafeBufferPointer<UInt8>) -> Bool {
        if topic.first == TopicSyntax.dollar, pattern.first.map(TopicSyntax.isWildcard) == true { return false }
        var at = 0
        for index in pattern.indices {
            switch pattern[index] {
            case TopicSyntax.hash:
                return true
            case TopicSyntax.plus:
                while at < topic.count, topic[at] != TopicSyntax.slash { at += 1 }
            case let byte where at < topic.count && byte == topic[at]:
                at += 1
            default:
                // "a/#" means "a" too.
                return at == topic.count && pattern[index...].elementsEqual([TopicSyntax.slash, TopicSyntax.hash])
            }
        }
        return at == topic.count
    }
}
