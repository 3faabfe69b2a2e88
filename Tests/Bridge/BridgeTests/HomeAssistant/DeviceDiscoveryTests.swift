import Foundation
import Testing

@testable import Bridge

extension DeviceDiscovery {
    /// A device with a name and groups of entities, and nothing else.
    init(_ name: String, _ groups: [EntityGroup] = []) {
        self.init(identifier: "d", name: name, version: "1", entityPrefix: "p", groups: groups)
    }

    /// The payload, read by a parser that is not ours.
    func object() throws -> [String: Any] {
        try #require(JSONSerialization.jsonObject(with: Data(payload())) as? [String: Any])
    }
}

@Suite struct DeviceDiscoveryTests {
    @Test(arguments: hostileTexts)
    func `Any text arrives as it is`(text: String) throws {
        let options = EntityKind.sensor(options: [text, text])
        let entity = Entity("a", options, value: text, name: text, attributes: .init(template: text))
        let object = try DeviceDiscovery(text, [EntityGroup(entities: [entity], stateTopic: text)]).object()
        let component = try #require((object["components"] as? [String: [String: Any]])?["a"])
        var found =
            (component["options"] as? [String] ?? []) + [(object["device"] as? [String: Any])?["name"] as? String]
        for key in ["name", "state_topic", "json_attributes_topic", "json_attributes_template"] {
            found.append(component[key] as? String)
        }
        let value = component["value_template"] as? String
        found.append(value.map { String(decoding: $0.utf8.dropFirst(3).dropLast(3), as: UTF8.self) })
        // Bytes, because `==` of texts also holds for other spellings of a letter.
        #expect(found.map { $0.map { Array($0.utf8) } } == Array(repeating: Array(text.utf8), count: 8))
    }

    private static let hostileTexts =
        [
            "", "Hall 2", #"""#, #"\"#, #"\\""#, #"\u0041"#, "back/slash", "Zoë’s 🖨️", "e\u{301}", "\u{2028}\u{2029}",
            "\u{FFFD}", "\u{10FFFF}", "\u{7F}\u{80}\u{9F}", "{{ value }}", #"","x":""#, "a:", "[", "{",
            "end ",
        ] + (0..<0x20).map { escapedAfter($0 % 9, UInt8($0)) } + (0..<9).map { escapedAfter($0, 0x22) }
        + (0..<9).map { escapedAfter($0, 0x5C) }

    /// A text of several words of eight bytes, with one byte to escape after some others.
    private static func escapedAfter(_ count: Int, _ byte: UInt8) -> String {
        String(repeating: "a", count: count) + String(Unicode.Scalar(byte)) + "bbbbbbbbbbbbbbbb"
    }
}
