import JSON
import Testing

@testable import Bridge

@Suite struct DuplicateBridgeSignalTests {
    private static let you = "with the instance_id you"

    /// What is heard live on `bridge/info`, and what it says to the bridge called `me`.
    private static let infos: [(payload: String, sign: DuplicateBridgeSignal?)] = [
        (#"{"instance_id": "me"}"#, nil),
        (#"{"instance_id": "me", "warnings": [{"code": "base_topic_in_use"}]}"#, nil),
        (#"{"instance_id": "you"}"#, .present(isWarned: false, name: you)),
        (#"{"instance_id": "you", "warnings": []}"#, .present(isWarned: false, name: you)),
        (#"{"instance_id": "you", "warnings": [{"code": "store_failed"}]}"#, .present(isWarned: false, name: you)),
        (#"{"instance_id": "you", "warnings": ["base_topic_in_use", 7]}"#, .present(isWarned: false, name: you)),
        (#"{"instance_id": "you", "warnings": "none"}"#, .present(isWarned: false, name: you)),
        (
            #"{"instance_id": "you", "warnings": [{"code": "store_failed"}, {"code": "base_topic_in_use"}]}"#,
            .present(isWarned: true, name: you)
        ),
        (#"{"instance_id": "you", "host": "nas\n2"}"#, .present(isWarned: false, name: "on nas 2")),
        (#"{"version": "1"}"#, nil),
        (#"{"instance_id": 7}"#, nil),
        (#""you""#, nil),
        ("you", nil),
    ]

    @Test(arguments: infos)
    func `A report of another instance on the bridge's topic shows another bridge`(
        payload: String,
        sign: DuplicateBridgeSignal?
    ) {
        #expect(DuplicateBridgeSignal(info: Array(payload.utf8), isRetained: false, instanceID: "me") == sign)
        let retained = DuplicateBridgeSignal(info: Array(payload.utf8), isRetained: true, instanceID: "me")
        guard case .present(_, let name)? = sign else { return #expect(retained == nil) }
        #expect(retained == .replaced(name: name))
    }

    @Test func `A retained message from an earlier run signals no other bridge, but a live one does`() {
        let payload = Array(#"{"instance_id": "before"}"#.utf8)
        func signal(isRetained: Bool) -> DuplicateBridgeSignal? {
            DuplicateBridgeSignal(info: payload, isRetained: isRetained, instanceID: "me", earlier: ["before"])
        }
        #expect(signal(isRetained: true) == nil)
        #expect(signal(isRetained: false) == .present(isWarned: false, name: "with the instance_id before"))
    }

    @Test(arguments: ["mine", "other"])
    func `A bridge of the same fleet is no stranger, one of another fleet is`(name: String) {
        let payload = Array(#"{"instance_id": "you", "fleet": "\#(name)"}"#.utf8)
        let own: [String: JSONValue] = ["fleet": "mine"]
        let signal = DuplicateBridgeSignal(info: payload, isRetained: false, instanceID: "me", shared: own)
        #expect(signal == (name == "mine" ? nil : .present(isWarned: false, name: Self.you)))
    }

    @Test(arguments: ["offline", "online", ""])
    func `'offline', when it is not this bridge's last word, is another one's`(payload: String) {
        let signals: [String: DuplicateBridgeSignal] = ["offline": .gone, "": .emptied]
        #expect(DuplicateBridgeSignal(availability: Array(payload.utf8)) == signals[payload])
    }
}
