import Testing

@testable import MQTT

@Suite struct `A trie of topic filters` {
    @Test func `finds what one filter after the other would find`() throws {
        var generator = SystemRandomNumberGenerator()
        let parts = ["a", "b", "", "+", "$x", "é", "e\u{301}"]
        for _ in 0..<300 {
            var trie = TopicTrie<Int>()
            var filters: [Int: MQTTTopicFilter] = [:]
            for number in 0..<20 {
                var levels = (0..<Int.random(in: 1...4)).map { _ in parts.randomElement(using: &generator) ?? "" }
                if Int.random(in: 0..<3) == 0 { levels.append("#") }
                if Int.random(in: 0..<5) == 0 { levels = ["$share", "group"] + levels }
                guard let filter = try? MQTTTopicFilter(levels.joined(separator: "/")) else { continue }
                trie.insert(number, at: filter)
                filters[number] = filter
            }
            for number in Array(filters.keys) where Bool.random() {
                if let filter = filters.removeValue(forKey: number) { trie.remove(at: filter) { $0 == number } }
            }
            for _ in 0..<30 {
                let levels = (0..<Int.random(in: 1...5)).map { _ in parts.randomElement(using: &generator) ?? "" }
                guard let topic = try? MQTTTopic(levels.joined(separator: "/")) else { continue }
                let expected = filters.filter { $0.value.matches(topic) }.keys.sorted()
                #expect(trie.values(matching: topic).sorted() == expected, "\(topic) of \(filters.values.map(\.text))")
            }
            for (number, filter) in filters { trie.remove(at: filter) { $0 == number } }
            #expect(trie.isEmpty)
        }
    }
}
