import Testing

@testable import MQTT

@Suite struct `The subscription registry` {
    private func message(_ topic: MQTTTopic, retain: Bool = false) -> MQTTMessage {
        MQTTMessage(topic: topic, payload: "", retain: retain)
    }

    @Test func `Without identifiers each match gets each copy`() throws {
        var registry = SubscriptionRegistry<String>()
        _ = try registry.add([.init("a/#"), .init("a/b")], "one")
        _ = try registry.add([.init("a/+")], "two")
        _ = try registry.add([.init("c")], "three")
        #expect(registry.recipients(of: message("a/b"), identifiers: []).map(\.mailbox) == ["one", "two"])
        #expect(registry.recipients(of: message("x"), identifiers: []).isEmpty)
    }

    @Test func `With identifiers each subscription takes the copy of its first filter`() throws {
        var registry = SubscriptionRegistry<String>()
        let one = try registry.add([.init("a/#"), .init("a/b")], "one")
        let ids = registry.requests(for: one).map(\.identifier)
        #expect(ids.count == 2)
        #expect(registry.recipients(of: message("a/b"), identifiers: [ids[0]]).map(\.mailbox) == ["one"])
        #expect(registry.recipients(of: message("a/b"), identifiers: [ids[1]]).isEmpty)
        #expect(registry.recipients(of: message("a/b"), identifiers: ids).map(\.mailbox) == ["one"])
    }

    @Test func `What a second subscription to a filter replays is not given to the first again`() throws {
        var registry = SubscriptionRegistry<String>()
        let one = try registry.add([.init("a")], "one")
        let firstRequests = registry.requests(for: one)
        let first = try #require(firstRequests.first)
        let two = try registry.add([.init("a", qos: .exactlyOnce)], "two")
        let secondRequests = registry.requests(for: two)
        let second = try #require(secondRequests.first)
        #expect(second.options.qos == .exactlyOnce)
        #expect(
            registry.recipients(of: message("a", retain: true), identifiers: [second.identifier]).map(\.mailbox) == [
                "two"
            ]
        )
        #expect(
            registry.recipients(of: message("a"), identifiers: [second.identifier]).map(\.mailbox) == ["one", "two"]
        )
        #expect(
            registry.recipients(of: message("a"), identifiers: [first.identifier]).map(\.mailbox) == ["one", "two"]
        )
    }

    @Test func `A new connection asks for each filter once, with what serves all`() throws {
        var registry = SubscriptionRegistry<String>()
        _ = try registry.add([.init("a", qos: .atMostOnce, retainHandling: .doNotSend, noLocal: true)], "one")
        _ = try registry.add([.init("a", qos: .atLeastOnce, retainAsPublished: true), .init("b")], "two")
        let requests = registry.requestsForNewConnection()
        #expect(
            requests.map(\.options) == [
                .init("a", qos: .atLeastOnce, retainHandling: .send, noLocal: false, retainAsPublished: true),
                .init("b"),
            ]
        )
        #expect(Set(requests.map(\.identifier)).count == 2)
    }

    @Test func `Retained messages are not for those who declined them`() throws {
        var registry = SubscriptionRegistry<String>()
        _ = try registry.add([.init("a", retainHandling: .doNotSend)], "one")
        _ = try registry.add([.init("a")], "two")
        let requests = registry.requestsForNewConnection()
        let id = try #require(requests.first?.identifier)
        #expect(registry.recipients(of: message("a", retain: true), identifiers: [id]).map(\.mailbox) == ["two"])
        #expect(registry.recipients(of: message("a"), identifiers: [id]).map(\.mailbox) == ["one", "two"])
    }

    @Test func `An identifier of an earlier session that means something else now is not believed`() throws {
        var registry = SubscriptionRegistry<String>()
        let one = try registry.add([.init("a")], "one")
        let idRequests = registry.requests(for: one)
        let id = try #require(idRequests.first?.identifier)
        _ = try registry.add([.init("b")], "two")
        #expect(registry.recipients(of: message("b"), identifiers: [id]).map(\.mailbox) == ["two"])
        #expect(registry.recipients(of: message("a"), identifiers: [id + 100]).map(\.mailbox) == ["one"])
    }

    @Test(arguments: [false, true])
    func `A session that was kept holds what was asked for and not given back`(isResumed: Bool) throws {
        var registry = SubscriptionRegistry<String>()
        let members = try ["a", "b", "c", "d"].map { try registry.add([.init(MQTTTopicFilter($0))], $0) }
        for member in members.dropLast() { _ = registry.requests(for: member) }
        for member in [members[0], members[1], members[3]] { _ = registry.remove(member) }
        registry.released("b")
        #expect(registry.leftovers(isResumed: isResumed) == (isResumed ? ["a"] : []))
        #expect(registry.leftovers(isResumed: isResumed) == [])
    }

    @Test func `Removing tells which filters nobody needs`() throws {
        var registry = SubscriptionRegistry<String>()
        let one = try registry.add([.init("a"), .init("b")], "one")
        _ = try registry.add([.init("b")], "two")
        let removed = registry.remove(one)
        #expect(removed?.unused == ["a"])
        let again = registry.remove(one)
        #expect(again?.unused == nil)
        #expect(registry.members(using: "b") == [2])
        let rest = registry.removeAll()
        #expect(rest == ["two"])
    }
}

extension SubscriptionRegistry {
    fileprivate mutating func add(_ subscriptions: [MQTTSubscriptionOptions], _ mailbox: Mailbox) throws -> Int {
        let id = (members.keys.max() ?? 0) + 1
        try add(subscriptions, as: id, mailbox)
        return id
    }
}
