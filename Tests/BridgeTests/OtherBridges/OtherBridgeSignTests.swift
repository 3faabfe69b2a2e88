import Testing

@testable import Bridge

@Suite struct OtherBridgeSignTests {
    /// What is heard live on `bridge/info`, and what it says to the bridge called `me`.
    private static let infos: [(payload: String, sign: OtherBridgeSign?)] = [
        (#"{"instance_id": "me"}"#, nil),
        (#"{"instance_id": "me", "warnings": [{"code": "base_topic_in_use"}]}"#, nil),
        (#"{"instance_id": "you"}"#, .present(isWarned: false)),
        (#"{"instance_id": "you", "warnings": []}"#, .present(isWarned: false)),
        (#"{"instance_id": "you", "warnings": [{"code": "secret_withheld"}]}"#, .present(isWarned: false)),
        (#"{"instance_id": "you", "warnings": ["base_topic_in_use", 7]}"#, .present(isWarned: false)),
        (#"{"instance_id": "you", "warnings": "none"}"#, .present(isWarned: false)),
        (
            #"{"instance_id": "you", "warnings": [{"code": "secret_withheld"}, {"code": "base_topic_in_use"}]}"#,
            .present(isWarned: true)
        ),
        (#"{"version": "1"}"#, nil),
        (#"{"instance_id": 7}"#, nil),
        (#""you""#, nil),
        ("you", nil),
        ("", nil),
    ]

    @Test("Whoever else reports on the bridge's topic is another bridge", arguments: infos)
    func info(payload: String, sign: OtherBridgeSign?) {
        #expect(OtherBridgeSign(info: Array(payload.utf8), heardBy: "me") == sign)
    }

    @Test("'offline', when it is not this bridge's last word, is another one's", arguments: ["offline", "online", ""])
    func availability(payload: String) {
        #expect(OtherBridgeSign(availability: payload) == (payload == "offline" ? .gone : nil))
    }
}
