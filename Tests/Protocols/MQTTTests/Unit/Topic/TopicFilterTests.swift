import MQTT
import Testing

private let wildcard = "a wildcard is not a level of its own, or a level follows #"

@Suite("Topic filters")
struct TopicFilterTests {
    @Test(arguments: [
        ("a", "a", true), ("a", "b", false), ("a", "a/b", false), ("a/b", "a", false), ("a/", "a", false),
        ("+", "a", true), ("+", "a/b", false), ("+/+", "/a", true), ("/+", "/a", true),
        ("+", "/a", false), ("a/+/c", "a/b/c", true), ("a/+/c", "a//c", true), ("a/+", "a", false),
        ("a/+", "a/", true), ("#", "a", true), ("#", "a/b/c", true), ("#", "/", true), ("a/#", "a", true),
        ("a/#", "a/b", true), ("a/#", "a/", true), ("a/#", "ab", false), ("a/#", "b", false), ("+/#", "a", true),
        ("a/+/#", "a", false), ("a/+/#", "a/b", true), ("a/+/#", "a/b/c/d", true), ("#", "$SYS/a", false),
        ("+/a", "$SYS/a", false), ("$SYS/#", "$SYS/a", true), ("$SYS/+", "$SYS/a", true), ("ä/+", "ä/ö", true),
    ])
    func `Topics are matched as the specification says`(filter: String, topic: String, matches: Bool) throws {
        #expect(try MQTTTopicFilter(filter).matches(MQTTTopic(topic)) == matches)
    }

    @Test(arguments: [
        ("", "it is empty"), ("a#", wildcard), ("#/a", wildcard), ("a/#/b", wildcard), ("a+", wildcard),
        ("+a/b", wildcard), ("a/b+/c", wildcard), ("##", wildcard), ("a\u{0}", "it has a NUL in it"),
        ("$share/g/a", "shared subscriptions are not supported"),
        (String(repeating: "a", count: 65_536), "it has more than 65,535 bytes"),
    ])
    func `A malformed filter says what is wrong`(filter: String, problem: String) {
        let error = #expect(throws: MQTTError.self) { try MQTTTopicFilter(filter) }
        #expect(error?.code == .invalidFilter)
        #expect(error?.message == "This is not a topic filter: \(problem).")
    }
}
