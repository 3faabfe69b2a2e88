/// The topics for which the bridge lacks a right at the broker, in one session: of each pattern the one that was refused last.
struct RefusedTopics {
    /// A topic by its pattern; without an owner it is the topic of a post or a picture, which cannot be published again.
    private var topics: [String: (name: String, owner: TopicOwner?)] = [:]

    /// The topics to publish again: a person may have given the right meanwhile.
    var toTryAgain: [(name: String, owner: TopicOwner)] {
        topics.values.compactMap { topic in topic.owner.map { (topic.name, $0) } }
    }

    mutating func insert(_ name: String, of owner: TopicOwner?, pattern: String) { topics[pattern] = (name, owner) }

    func contains(_ name: String) -> Bool { topics.values.contains { $0.name == name } }

    mutating func removeAll() { topics = [:] }
}
