import Settings
import Testing

@testable import Bridge

@Suite struct BridgeRequestTests {
    @Test("A request names a printer, and may bring an id and settings")
    func good() throws {
        let request = try BridgeRequest(
            payload: Array(#"{"id": 7, "printer": "x1", "settings": {"serial": "A"}}"#.utf8)
        )
        #expect(request.printer == "x1")
        #expect(request.id == 7)
        #expect(request.settings == ["serial": "A"])
    }

    @Test(
        "What is no request is refused with the path of the fault",
        arguments: [
            ("", ""), ("x1", ""), ("[]", ""), ("{}", "printer"), (#"{"printer": 1}"#, "printer"),
            (#"{"printer": "bridge"}"#, "printer"), (#"{"printer": "a/b"}"#, "printer"),
            (#"{"printer": "x1", "settings": []}"#, "settings"),
        ]
    )
    func bad(payload: String, path: String) {
        let fault = #expect(throws: SettingFault.self) { try BridgeRequest(payload: Array(payload.utf8)) }
        #expect(fault?.path == path)
    }

    @Test("The id is found in a request that is refused, too")
    func id() {
        #expect(BridgeRequest.id(in: Array(#"{"id": "q1", "printer": 1}"#.utf8)) == "q1")
        #expect(BridgeRequest.id(in: Array("x1".utf8)) == .null)
    }

    @Test("Answers have the form of the contract")
    func answers() {
        let done = BridgeResponse(id: "q1", result: .success(["printer": "x1"]))
        #expect(done.json() == #"{"data":{"printer":"x1"},"id":"q1","status":"ok"}"#)
        let fault = SettingFault(path: "printer", code: .init(rawValue: "not_found"), message: "there is no printer x1")
        let failed = BridgeResponse(result: .failure(fault))
        #expect(
            failed.json()
                == #"{"error":{"code":"not_found","message":"there is no printer x1","path":"printer"},"id":null,"status":"error"}"#
        )
    }
}
