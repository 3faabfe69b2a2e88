import Testing

@testable import MQTT

@Suite struct `Topic filters` {
    @Test(arguments: [
        ("a", "a", true), ("a", "b", false), ("a", "a/b", false), ("a/b", "a", false), ("a/", "a", false),
        ("+", "a", true), ("+", "a/b", false), ("+", "", true), ("+/+", "/a", true), ("/+", "/a", true),
        ("+", "/a", false), ("a/+/c", "a/b/c", true), ("a/+/c", "a//c", true), ("a/+", "a", false),
        ("a/+", "a/", true), ("#", "a", true), ("#", "a/b/c", true), ("#", "/", true), ("a/#", "a", true),
        ("a/#", "a/b", true), ("a/#", "a/", true), ("a/#", "ab", false), ("a/#", "b", false), ("+/#", "a", true),
        ("a/+/#", "a", false), ("a/+/#", "a/b", true), ("a/+/#", "a/b/c/d", true), ("#", "$SYS/a", false),
        ("+/a", "$SYS/a", false), ("$SYS/#", "$SYS/a", true), ("$SYS/+", "$SYS/a", true), ("ä/+", "ä/ö", true),
        ("$share/g/a/+", "a/b", true), ("$share/g/a/+", "$share/g/a/b", false), ("$share/g/#", "$SYS/x", false),
    ])
    func `Topics are matched as the specification says`(filter: String, topic: String, matches: Bool) throws {
        #expect(try #require(TopicFilter(filter)).matches(topic) == matches)
    }

    @Test(arguments: [
        "", "a#", "#/a", "a/#/b", "a+", "+a/b", "a/b+/c", "##", "$share/g", "$share/g/",
        "$share//a", "$share/+/a", "a\u{0}",
        String(repeating: "a", count: 65_536),
    ])
    func `Malformed filters are not filters`(filter: String) {
        #expect(TopicFilter(filter) == nil)
    }

    @Test(arguments: [("a", true), ("/", true), ("a b/ü", true), ("", false), ("a/+", false), ("#", false)])
    func `Names have no wildcards`(name: String, isName: Bool) {
        #expect(TopicFilter.isName(name) == isName)
    }
}
