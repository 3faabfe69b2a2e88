import MQTT
import PrinterSamples
import Testing

@testable import Bridge
@testable import Printers

@Suite struct TopicsTests {
    @Test(arguments: ["printer2mqtt", "farm/hall 2", "a", "drücker"])
    func `The printer of a config/set is found under any base topic`(base: String) {
        let topics = Topics(base: base)
        for id in ["x1", "config", "set", "a-b_c"] as [PrinterID] {
            #expect(topics.printer(ofConfigSet: topics.configSet(id)) == id)
            #expect(topics.isOfCommands(topics.configSet(id) + "t"), "a mistyped topic may have a secret, too")
        }
    }

    @Test(arguments: [
        "", "printer2mqtt", "printer2mqtt/config/set", "printer2mqtt//config/set", "printer2mqtt/x1/config",
        "printer2mqtt/x1/config/set/", "printer2mqtt/x1/config/set/y", "printer2mqtt/a/b/config/set",
        "printer2mqtt/../config/set", "printer2mqtt/+/config/set", "printer2mqtt/#/config/set",
        "printer2mqtt/bridge/config/set", "printer2mqtt/X1/config/set", "printer2mqtt/x 1/config/set",
        "printer2mqttx1/config/set", "other/x1/config/set", "/printer2mqtt/x1/config/set", "printer2mqtt/x1config/set",
        "printer2mqtt/config/set/config/set", "printer2mqtt/x1\0/config/set",
    ])
    func `What is no printer's config/set is nobody's`(topic: String) {
        #expect(Topics().printer(ofConfigSet: topic) == nil)
    }

    @Test(arguments: [
        ("mine/answers", true), ("b", true), ("bb/x1/config", true), ("b/bridge/response/me", true),
        ("b/x1/config", false), ("b/x1/config/set", false), ("b/bridge/request/restart", false),
        ("h/device/b_x1/config", false), ("h/status", false), ("$SYS/broker", false), ("$share/a/b", false),
        ("b/\u{301}x1/config/set", false), ("h/\u{301}device/x/config", false), ("$\u{301}SYS/a", false),
    ])
    func `An answer goes to the requested topic unless that topic belongs to another publisher`(
        topic: String,
        isAllowed: Bool
    ) { #expect(Topics(base: "b", discoveryPrefix: "h").allowsResponse(on: topic) == isAllowed) }

    @Test func `Topic levels are compared by bytes, even where a combining character follows the slash`() throws {
        let topics = Topics(base: "b")
        #expect(topics.name(ofConfigSet: "b/\u{301}x/config/set") == "\u{301}x")
        #expect(topics.name(ofConfigSet: "b/x\u{301}/config/set") == "x\u{301}")
        #expect(topics.name(ofConfigSet: "b/x/\u{301}config/set") == nil)
        #expect(topics.verb(ofRequest: "b/bridge/request/\u{301}health") == "\u{301}health")
        #expect(RequestVerb(named: "health") == .health && RequestVerb(named: "health\u{301}") == nil)
        #expect(topics.isMarker(MQTTMessage(topic: "b/~/config/set", payload: [])))
        // To Swift, U+1FEF and the grave accent are one text; to a broker they are two.
        #expect("\u{1FEF}".isSameBytes(as: "`") == false && "\u{1FEF}" == "`")
    }

    @Test func `The verb is what follows the request topic`() {
        let topics = Topics(base: "a/b")
        #expect(topics.verb(ofRequest: "a/b/bridge/request/printer/add") == "printer/add")
        #expect(topics.verb(ofRequest: "a/b/bridge/request/") == "")
        #expect(topics.verb(ofRequest: "a/b/bridge/response/printer/add") == nil)
        for verb in RequestVerb.allCases {
            #expect(topics.verb(ofRequest: topics.request(verb.rawValue)) == verb.rawValue)
        }
    }
}
