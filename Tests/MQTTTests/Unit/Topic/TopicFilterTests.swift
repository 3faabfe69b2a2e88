import MQTT
import Testing

@Suite struct `Topic filters` {
    @Test(arguments: [
        ("a", "a", true), ("a", "b", false), ("a", "a/b", false), ("a/b", "a", false), ("a/", "a", false),
        ("+", "a", true), ("+", "a/b", false), ("+/+", "/a", true), ("/+", "/a", true),
        ("+", "/a", false), ("a/+/c", "a/b/c", true), ("a/+/c", "a//c", true), ("a/+", "a", false),
        ("a/+", "a/", true), ("#", "a", true), ("#", "a/b/c", true), ("#", "/", true), ("a/#", "a", true),
        ("a/#", "a/b", true), ("a/#", "a/", true), ("a/#", "ab", false), ("a/#", "b", false), ("+/#", "a", true),
        ("a/+/#", "a", false), ("a/+/#", "a/b", true), ("a/+/#", "a/b/c/d", true), ("#", "$SYS/a", false),
        ("+/a", "$SYS/a", false), ("$SYS/#", "$SYS/a", true), ("$SYS/+", "$SYS/a", true), ("ä/+", "ä/ö", true),
        ("$share/g/a/+", "a/b", true), ("$share/g/a/+", "$share/g/a/b", false), ("$share/g/#", "$SYS/x", false),
    ])
    func `Topics are matched as the specification says`(filter: String, topic: String, matches: Bool) throws {
        #expect(try MQTTTopicFilter(filter).matches(MQTTTopic(topic)) == matches)
    }

    @Test(arguments: [
        ("", "it is empty"), ("a#", "a wildcard is not a level of its own"), ("#/a", "a level follows #"),
        ("a/#/b", "a level follows #"), ("a+", "a wildcard is not a level of its own"),
        ("+a/b", "a wildcard is not a level of its own"), ("a/b+/c", "a wildcard is not a level of its own"),
        ("##", "a wildcard is not a level of its own"), ("a\u{0}", "it has a NUL in it"),
        ("$share/g", "nothing follows the group behind $share/"),
        ("$share/g/", "nothing follows the group behind $share/"),
        ("$share//a", "the group behind $share/ is empty or has a wildcard"),
        ("$share/+/a", "the group behind $share/ is empty or has a wildcard"),
        (String(repeating: "a", count: 65_536), "it has more than 65,535 bytes"),
    ])
    func `A malformed one says what is wrong`(filter: String, problem: String) {
        let error = #expect(throws: MQTTError.self) { try MQTTTopicFilter(filter) }
        #expect(error?.code == .invalidFilter)
        #expect(error?.message == "This is not a topic filter: \(problem).")
    }

    @Test func `A literal is one by itself, and knows what it is`() {
        let plain: MQTTTopicFilter = "hall/lamp"
        let wild: MQTTTopicFilter = "hall/+/lamp"
        let shared: MQTTTopicFilter = "$share/group/hall/#"
        #expect([plain, wild, shared].map(\.hasWildcards) == [false, true, true])
        #expect([plain, wild, shared].map(\.isShared) == [false, false, true])
        #expect("\(shared)" == "$share/group/hall/#")
    }

    @Test func `Filters are equal if their bytes are`() {
        let (one, two): (MQTTTopicFilter, MQTTTopicFilter) = ("caf\u{e9}/+", "cafe\u{301}/+")
        #expect(one != two)
        #expect(Set([one, two, one]).count == 2)
    }
}
