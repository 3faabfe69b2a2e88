import MQTT
import Testing

@Suite("Topics")
struct TopicTests {
    @Test(arguments: ["a", "/", "//", "a b/ü", "$SYS/x", " ", String(repeating: "a", count: 65_535)])
    func `A name is taken as it is`(name: String) throws {
        let topic = try MQTTTopic(name)
        #expect(topic.name == name)
        #expect("\(topic)" == name)
    }

    @Test(arguments: [
        ("", "it is empty"), ("a/+", "it has a wildcard, + or #"), ("#", "it has a wildcard, + or #"),
        ("a\u{0}b", "it has a NUL in it"), (String(repeating: "x", count: 65_536), "it has more than 65,535 bytes"),
        (String(repeating: "é", count: 32_768), "it has more than 65,535 bytes"),
        ("a\tb", "it has a control character or a noncharacter in it"),
        ("é\u{85}", "it has a control character or a noncharacter in it"),
        ("\u{1fffe}", "it has a control character or a noncharacter in it"),
    ])
    func `What cannot be a name says what is wrong`(name: String, problem: String) {
        let error = #expect(throws: MQTTError.self) { try MQTTTopic(name) }
        #expect(error?.code == .invalidTopic)
        #expect(error?.message == "This is not the name of a topic: \(problem).")
    }

    @Test func `A wrong literal stops the program`() async {
        await #expect(processExitsWith: .failure) { _ = "a/+" as MQTTTopic }
        await #expect(processExitsWith: .failure) { _ = "a/#/b" as MQTTTopicFilter }
    }

    @Test func `Names of topics, and filters, are equal if their bytes are`() {
        let topics: [MQTTTopic] = ["caf\u{e9}", "cafe\u{301}"]
        let filters: [MQTTTopicFilter] = ["caf\u{e9}", "cafe\u{301}"]
        #expect(topics[0] != topics[1] && Set(topics + topics).count == 2)
        #expect(filters[0] != filters[1] && Set(filters + filters).count == 2)
        #expect(!filters[0].matches(topics[1]))
    }
}
