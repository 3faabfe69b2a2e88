import Testing

@testable import MQTT

@Suite("The registry of subscriptions")
struct SubscriptionRegistryTests {
    private func registry(_ members: [[MQTTTopicFilter]]) throws -> SubscriptionRegistry<Int> {
        var registry = SubscriptionRegistry<Int>()
        for (id, filters) in members.enumerated() { try registry.add(filters.map { .init($0) }, as: id, id) }
        return registry
    }

    @Test(
        arguments: [
            ("a/b", [], [0, 1, 2]), ("a/c", [], [0]), ("x", [], []),
            // One copy for each filter, as a broker of MQTT 5 sends it: a/+ is 1, a/b is 2.
            ("a/b", [1], [0]), ("a/b", [2], [1, 2]), ("a/b", [1, 2], [0, 1, 2]),
            // Identifiers of an earlier run: unknown, or of filters that do not match.
            ("a/c", [9], [0]), ("a/c", [2], [0]),
        ] as [(MQTTTopic, [UInt32], [Int])]
    )
    func `The registry finds who gets a message`(topic: MQTTTopic, identifiers: [UInt32], expected: [Int]) throws {
        var registry = try registry([["a/+"], ["a/b"], ["a/b", "z"]])
        _ = registry.requests(for: [0, 1, 2])
        let message = MQTTMessage(topic: topic, payload: "")
        #expect(registry.recipients(of: message, identifiers: identifiers) == expected)
    }

    @Test func `A new connection requests each filter once, with options that serve all subscriptions`() throws {
        var registry = SubscriptionRegistry<Int>()
        try registry.add([.init("a", qos: .atMostOnce, retainHandling: .doNotSend, noLocal: true)], as: 0, 0)
        try registry.add([.init("a", qos: .atLeastOnce, retainAsPublished: true), .init("b")], as: 1, 1)
        let requests = registry.requests(for: [0, 1])
        #expect(requests.map(\.options.filter) == ["a", "b"])
        #expect(requests[0].options == .init("a", retainAsPublished: true))
        #expect(Set(requests.map(\.identifier)).count == 2)
        #expect(registry.requests(for: [0, 1]) == requests, "identifiers stay")
    }
}
