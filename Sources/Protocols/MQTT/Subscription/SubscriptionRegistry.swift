/// The subscriptions, the filters to send for them, and which of them get a message.
struct SubscriptionRegistry<Mailbox: Sendable>: Sendable {
    struct Member: Sendable {
        let options: [MQTTSubscriptionOptions]
        let mailbox: Mailbox
    }

    struct Request: Sendable, Hashable {
        let options: MQTTSubscriptionOptions
        let identifier: UInt32
    }

    private(set) var members: [Int: Member] = [:]
    /// The members that use a filter, in the order in which they came, with their options for it.
    private var users: [MQTTTopicFilter: [(id: Int, options: MQTTSubscriptionOptions)]] = [:]
    /// The filters in use that have wildcards: programs may have thousands of others.
    private var patterns: Set<MQTTTopicFilter> = []
    /// One subscription identifier for each filter in use (MQTT 5.0, section 3.8.2.1.2).
    private var identifiers: [MQTTTopicFilter: UInt32] = [:]
    private var filters: [UInt32: MQTTTopicFilter] = [:]
    private var lastIdentifier: UInt32 = 0
    /// The filters that the broker's session may have.
    private var asked: Set<MQTTTopicFilter> = []

    init() {}

    /// Adds a subscription, before SUBSCRIBE is sent, so that no message is missed.
    mutating func add(_ options: [MQTTSubscriptionOptions], as id: Int, _ mailbox: Mailbox) throws(MQTTError) {
        guard !options.isEmpty else { throw MQTTError(.invalidFilter, "There is no topic filter.") }
        members[id] = Member(options: options, mailbox: mailbox)
        for options in options {
            users[options.filter, default: []].append((id, options))
            if options.filter.hasWildcards { patterns.insert(options.filter) }
        }
    }

    /// Removes a subscription; returns the filters that are not used any more.
    mutating func remove(_ id: Int) -> [MQTTTopicFilter] {
        guard let member = members.removeValue(forKey: id) else { return [] }
        var unused: [MQTTTopicFilter] = []
        for filter in Set(member.options.map(\.filter)) {
            users[filter]?.removeAll { $0.id == id }
            guard users[filter]?.isEmpty == true else { continue }
            users[filter] = nil
            patterns.remove(filter)
            if let identifier = identifiers.removeValue(forKey: filter) { filters[identifier] = nil }
            unused.append(filter)
        }
        return unused.sorted { $0.text < $1.text }
    }

    /// Filters of a resumed session that are not used any more.
    func leftovers() -> [MQTTTopicFilter] { asked.filter { users[$0] == nil }.sorted { $0.text < $1.text } }

    mutating func unsubscribed(_ filter: MQTTTopicFilter) { asked.remove(filter) }

    /// The filters of some subscriptions, each once, in their order.
    mutating func requests(for ids: [Int]) -> [Request] {
        var seen: Set<MQTTTopicFilter> = []
        return ids.compactMap { members[$0] }.flatMap(\.options)
            .filter { seen.insert($0.filter).inserted }
            .map { request($0.filter) }
    }

    func members(using filter: MQTTTopicFilter) -> [Int] { Set(users[filter]?.map(\.id) ?? []).sorted() }

    /// The subscriptions that get a message, each once.
    ///
    /// With subscription identifiers, a broker may send one copy for each filter that matches, and names the filter; a
    /// subscription gets the copy of its first filter. A session that an earlier run began may have other identifiers, so
    /// an identifier counts only if its filter matches.
    func recipients(of message: MQTTMessage, identifiers: [UInt32]) -> [Int] {
        let named = identifiers.compactMap { filters[$0] }.filter { $0.matches(message.topic) && users[$0] != nil }
        let exact = MQTTTopicFilter(exactly: message.topic)
        let matching = named.isEmpty ? [exact] + patterns.filter { $0.matches(message.topic) } : named
        return Set(matching.flatMap(members)).sorted().filter { id in
            guard let first = members[id]?.options.first(where: { $0.filter.matches(message.topic) }) else {
                return false
            }
            // A broker of MQTT 3.1.1 sends retained messages to every subscription.
            guard !message.retain || first.wantsRetained else { return false }
            return named.count != 1 || first.filter == named[0]
        }
    }

    mutating func removeAll() -> [Mailbox] {
        defer { self = Self() }
        return members.sorted { $0.key < $1.key }.map(\.value.mailbox)
    }

    /// One SUBSCRIBE for all members that use a filter: a broker keeps one subscription for each filter and client.
    private mutating func request(_ filter: MQTTTopicFilter) -> Request {
        let all = users[filter]?.map(\.options) ?? []
        let options = MQTTSubscriptionOptions(
            filter,
            qos: all.map(\.qos).max() ?? .atMostOnce,
            retainHandling: all.map(\.retainHandling).min { $0.rawValue < $1.rawValue } ?? .send,
            noLocal: all.allSatisfy(\.noLocal),
            retainAsPublished: all.contains(where: \.retainAsPublished)
        )
        asked.insert(filter)
        if let identifier = identifiers[filter] { return Request(options: options, identifier: identifier) }
        // 1–268,435,455.
        lastIdentifier = lastIdentifier % 268_435_455 + 1
        (identifiers[filter], filters[lastIdentifier]) = (lastIdentifier, filter)
        return Request(options: options, identifier: lastIdentifier)
    }
}

extension MQTTSubscriptionOptions {
    /// Whether the subscription gets a message with the retain flag.
    ///
    /// The flag marks a message that the broker replays, or with `retainAsPublished` one that was published with it.
    fileprivate var wantsRetained: Bool { retainHandling != .doNotSend || retainAsPublished }
}
