/// Topic filters with something attached to each, arranged by their levels: finding those that match a topic costs as
/// much as the topic has levels, however many filters there are (MQTT 5.0, section 4.7).
struct TopicTrie<Value: Sendable>: Sendable {
    private typealias Level = Bytewise<Substring>

    private struct Node: Sendable {
        var children: [Level: Node] = [:]
        var plus: [Node] = []
        /// What filters that end here have attached, and those that end with `#` below.
        var values: [Value] = []
        var valuesBelow: [Value] = []

        var isEmpty: Bool { children.isEmpty && plus.isEmpty && values.isEmpty && valuesBelow.isEmpty }
    }

    private var root = Node()

    init() {}

    var isEmpty: Bool { root.isEmpty }

    /// Attaches a value to a filter, beside those that it has.
    mutating func insert(_ value: Value, at filter: MQTTTopicFilter) {
        Self.change(&root, filter.levels[...]) { $0.append(value) }
    }

    /// Takes the values of a filter away for which the condition holds.
    mutating func remove(at filter: MQTTTopicFilter, where isUnwanted: (Value) -> Bool) {
        Self.change(&root, filter.levels[...]) { $0.removeAll(where: isUnwanted) }
    }

    /// The values of all filters that match, in no order.
    func values(matching topic: MQTTTopic) -> [Value] {
        var found: [Value] = []
        // Wildcards at the front don't match topics that begin with `$`.
        let allowsWildcards = topic.name.utf8.first != TopicSyntax.dollar
        Self.collect(root, topic.name[...], allowsWildcards: allowsWildcards, &found)
        return found
    }

    private static func change(_ node: inout Node, _ levels: ArraySlice<Substring>, _ body: (inout [Value]) -> Void) {
        guard let level = levels.first else { return body(&node.values) }
        switch level {
        case "#":
            body(&node.valuesBelow)
        case "+":
            if node.plus.isEmpty { node.plus = [Node()] }
            change(&node.plus[0], levels.dropFirst(), body)
            if node.plus[0].isEmpty { node.plus = [] }
        default:
            let key = Level(text: level)
            change(&node.children[key, default: Node()], levels.dropFirst(), body)
            if node.children[key]?.isEmpty == true { node.children[key] = nil }
        }
    }

    /// `rest` is what stands behind the levels above; nil behind the last one.
    private static func collect(
        _ node: Node,
        _ rest: Substring?,
        allowsWildcards: Bool = true,
        _ found: inout [Value]
    ) {
        // "a/#" means "a" too.
        if allowsWildcards { found += node.valuesBelow }
        guard let rest else {
            found += node.values
            return
        }
        let slash = rest.utf8.firstIndex(of: TopicSyntax.slash)
        let below = slash.map { rest[rest.utf8.index(after: $0)...] }
        if allowsWildcards, let any = node.plus.first { collect(any, below, &found) }
        let level = Level(text: rest[..<(slash ?? rest.endIndex)])
        if let child = node.children[level] { collect(child, below, &found) }
    }
}
