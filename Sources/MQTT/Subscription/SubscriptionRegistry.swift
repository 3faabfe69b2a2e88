/// Which local subscriptions exist, what the broker was asked for, and who gets a message.
struct SubscriptionRegistry<Mailbox: Sendable>: Sendable {
    struct Member: Sendable {
        let entries: [MQTTSubscriptionOptions]
        let mailbox: Mailbox
    }

    /// One SUBSCRIBE to send.
    struct Request: Sendable, Hashable {
        let options: MQTTSubscriptionOptions
        let identifier: UInt32
    }

    private struct Identifier {
        let filter: MQTTTopicFilter
        /// Who gets the retained messages that the SUBSCRIBE brought; nil: everybody with the filter.
        let newcomer: Int?
    }

    private(set) var members: [Int: Member] = [:]
    /// The keys of `members`, in the order in which they came.
    private var order: [Int] = []
    /// Which entry of which member has a filter.
    private var trie = TopicTrie<(member: Int, entry: Int)>()
    private var identifiers: [UInt32: Identifier] = [:]
    private var lastIdentifier: UInt32 = 0
    /// What the broker was asked for, and not to end.
    private var asked: Set<MQTTTopicFilter> = []

    init() {}

    /// Adds a subscription before the broker hears of it, so that nothing it sends is missed.
    mutating func add(
        _ subscriptions: [MQTTSubscriptionOptions],
        as id: Int,
        _ mailbox: Mailbox
    ) throws(MQTTError) {
        guard !subscriptions.isEmpty else { throw MQTTError(.invalidFilter, "There is no topic filter.") }
        guard !subscriptions.contains(where: { $0.filter.isShared && $0.noLocal }) else {
            throw MQTTError(.invalidFilter, "A shared subscription cannot leave out the client's own messages.")
        }
        for (index, entry) in subscriptions.enumerated() { trie.insert((id, index), at: entry.filter) }
        members[id] = Member(entries: subscriptions, mailbox: mailbox)
        order.append(id)
    }

    /// Removes a subscription; returns it with the filters that nobody needs any more.
    mutating func remove(_ id: Int) -> (member: Member, unused: [MQTTTopicFilter])? {
        guard let member = members.removeValue(forKey: id) else { return nil }
        order.removeAll { $0 == id }
        for entry in member.entries { trie.remove(at: entry.filter) { $0.member == id } }
        let used = Set(members.values.flatMap { $0.entries.map(\.filter) })
        let unused = Set(member.entries.map(\.filter)).subtracting(used)
        return (member, unused.sorted { $0.text < $1.text })
    }

    /// The broker was told that nobody needs a filter any more.
    mutating func released(_ filter: MQTTTopicFilter) { asked.remove(filter) }

    /// What a broker that has kept our session still holds, and nobody needs since; asked once on each new connection.
    mutating func leftovers(isResumed: Bool) -> [MQTTTopicFilter] {
        defer { asked = [] }
        let used = Set(members.values.flatMap { $0.entries.map(\.filter) })
        return isResumed ? asked.subtracting(used).sorted { $0.text < $1.text } : []
    }

    /// What to send for a new subscription on a connection that stands.
    mutating func requests(for id: Int) -> [Request] {
        guard let member = members[id] else { return [] }
        var seen: Set<MQTTTopicFilter> = []
        return member.entries.filter { seen.insert($0.filter).inserted }.map { entry in
            var options = merged(entry.filter)
            options.retainHandling = entry.retainHandling
            return request(options, newcomer: id)
        }
    }

    /// What to send on a new connection: each filter once, with the options that serve all who use it.
    mutating func requestsForNewConnection() -> [Request] {
        identifiers = [:]
        var seen: Set<MQTTTopicFilter> = []
        return order.compactMap { members[$0] }.flatMap(\.entries)
            .filter { seen.insert($0.filter).inserted }
            .map { request(merged($0.filter), newcomer: nil) }
    }

    /// The subscriptions that have this filter.
    func members(using filter: MQTTTopicFilter) -> [Int] {
        order.filter { members[$0]?.entries.contains { $0.filter == filter } == true }
    }

    /// Who gets a message.
    ///
    /// A broker that knows identifiers sends one copy for each filter that matches; of those, a subscription takes
    /// the copy of its first matching filter. Without identifiers every match takes every copy.
    func recipients(of message: MQTTMessage, identifiers ids: [UInt32]) -> [(id: Int, mailbox: Mailbox)] {
        let copies = ids.compactMap { identifiers[$0] }
        var recipients: [(id: Int, mailbox: Mailbox)] = []
        var last: Int?
        var matches = trie.values(matching: message.topic)
        if matches.count > 1 { matches.sort(by: <) }
        for (id, index) in matches where id != last {
            guard let member = members[id] else { continue }
            let first = member.entries[index]
            guard !message.retain || first.wantsRetained else { continue }
            last = id
            let isMeant = copies.contains { copy in
                copy.filter == first.filter
                    && (copy.newcomer == nil || copy.newcomer == id || !message.retain || first.retainAsPublished)
            }
            if isMeant || !copies.contains(where: { $0.filter.matches(message.topic) }) {
                recipients.append((id, member.mailbox))
            }
        }
        return recipients
    }

    /// Forgets every subscription and returns their mailboxes.
    mutating func removeAll() -> [Mailbox] {
        defer { (members, order, identifiers, trie, asked) = ([:], [], [:], TopicTrie(), []) }
        return order.compactMap { members[$0]?.mailbox }
    }

    private mutating func request(_ options: MQTTSubscriptionOptions, newcomer: Int?) -> Request {
        // Identifiers are 1–268,435,455 (MQTT 5.0, section 3.8.2.1.2).
        lastIdentifier = lastIdentifier % 268_435_455 + 1
        identifiers[lastIdentifier] = Identifier(filter: options.filter, newcomer: newcomer)
        asked.insert(options.filter)
        return Request(options: options, identifier: lastIdentifier)
    }

    /// A broker keeps one subscription for each filter and client: the options that serve all members.
    private func merged(_ filter: MQTTTopicFilter) -> MQTTSubscriptionOptions {
        let all = members.values.flatMap(\.entries).filter { $0.filter == filter }
        return MQTTSubscriptionOptions(
            filter,
            qos: all.map(\.qos).max() ?? .atMostOnce,
            retainHandling: all.map(\.retainHandling).min { $0.rawValue < $1.rawValue } ?? .send,
            noLocal: all.allSatisfy(\.noLocal),
            retainAsPublished: all.contains(where: \.retainAsPublished)
        )
    }
}

extension MQTTSubscriptionOptions {
    /// Whether a message with the retain flag is for this filter.
    ///
    /// The flag means 'replayed' unless published so.
    fileprivate var wantsRetained: Bool { retainHandling != .doNotSend || retainAsPublished }
}
