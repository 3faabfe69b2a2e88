import Foundation

/// The topics that were cleared, by owner: a broker that crashes may restore them from an older state.
struct ClearedTopics: Sendable {
    /// How long topics are remembered: longer than brokers wait before they write retained messages to disk.
    static let lifetime: TimeInterval = 24 * 3_600
    /// How many owners are remembered; it bounds memory and disk where printers are added and removed endlessly.
    static let limit = 2_000

    private var topics: [TopicOwner: (names: Set<String>, clearedAt: Date)] = [:]

    var owners: [TopicOwner] { Array(topics.keys) }

    func names(of owner: TopicOwner) -> Set<String> { topics[owner]?.names ?? [] }

    /// Adds the recent topics of an owner that are on disk; returns the owners whose topics are no longer remembered.
    mutating func load(_ entry: Manifest.Entry, of owner: TopicOwner, at time: Date) -> [TopicOwner] {
        topics[owner] = nil
        guard !entry.cleared.isEmpty else { return [] }
        guard let clearedAt = entry.changedAt, Self.isRecent(clearedAt, at: time) else { return [owner] }
        topics[owner] = (entry.cleared, clearedAt)
        return forgetOldest()
    }

    /// Adds a topic that was cleared; returns the owners whose list has changed.
    mutating func insert(_ topic: String, of owner: TopicOwner, at time: Date) -> [TopicOwner] {
        guard topics[owner, default: ([], time)].names.insert(topic).inserted else { return [] }
        topics[owner]?.clearedAt = time
        return [owner] + forgetOldest()
    }

    /// Removes topics that are published again; true if one of them was cleared.
    mutating func remove(_ names: some Sequence<String>, of owner: TopicOwner) -> Bool {
        guard let before = topics[owner]?.names else { return false }
        topics[owner]?.names.subtract(names)
        let isChanged = topics[owner]?.names != before
        if topics[owner]?.names.isEmpty == true { topics[owner] = nil }
        return isChanged
    }

    mutating func remove(_ owner: TopicOwner) { topics[owner] = nil }

    /// Removes the topics that were cleared more than ``lifetime`` ago; returns their owners.
    mutating func expire(at time: Date) -> [TopicOwner] {
        let old = topics.filter { !Self.isRecent($0.value.clearedAt, at: time) }.map(\.key)
        for owner in old { topics[owner] = nil }
        return old
    }

    private static func isRecent(_ clearedAt: Date, at time: Date) -> Bool {
        // After a jump of the clock back, a time in the future must not keep the topics for ever.
        abs(time.timeIntervalSince(clearedAt)) < lifetime
    }

    private mutating func forgetOldest() -> [TopicOwner] {
        guard topics.count > Self.limit, let oldest = topics.min(by: { $0.value.clearedAt < $1.value.clearedAt })?.key
        else { return [] }
        topics[oldest] = nil
        return [oldest]
    }
}
