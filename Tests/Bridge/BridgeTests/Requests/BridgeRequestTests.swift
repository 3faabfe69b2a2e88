import PrinterSamples
import StoredSettings
import Testing

@testable import Bridge

@Suite struct BridgeRequestTests {
    private static let requests: [(RequestVerb, String, BridgeRequest)] = [
        (.printerAdd, #"{"id": 7, "printer": "x1"}"#, .add("x1", settings: [:])),
        (.printerAdd, #"{"printer": "x1", "settings": {"serial": "A"}}"#, .add("x1", settings: ["serial": "A"])),
        (.printerRemove, #"{"printer": "x1"}"#, .remove("x1")),
        (.printerRename, #"{"printer": "x1", "to": "x2"}"#, .rename("x1", to: "x2")),
        (.printerProbe, #"{"printer": "x1"}"#, .probe("x1")),
        (
            .printerAcceptCertificate,
            #"{"printer": "x1", "fingerprint": "\#([String](repeating: "AB", count: 32).joined(separator: ":"))"}"#,
            .acceptCertificate("x1", fingerprint: String(repeating: "ab", count: 32))
        ),
        (.options, #"{"id": 7, "log_level": "info"}"#, .options(["log_level": "info"])),
        (.options, "", .options([:])),
        (.restart, "", .restart),
        (.restart, "{}", .restart),
        (.health, #"{"id": 7}"#, .health),
    ]

    @Test(arguments: requests)
    private func `A request has the fields that its verb wants`(
        verb: RequestVerb,
        payload: String,
        request: BridgeRequest
    ) throws { #expect(try BridgeRequest(verb, payload: Array(payload.utf8)) == request) }

    @Test(arguments: [
        (RequestVerb.printerAdd, "", ""), (.printerAdd, "x1", ""), (.printerAdd, "[]", ""),
        (.printerAdd, "{}", "printer"), (.printerProbe, #"{"printer": 1}"#, "printer"),
        (.printerRemove, #"{"printer": "bridge"}"#, "printer"), (.printerAdd, #"{"printer": "a/b"}"#, "printer"),
        (.printerAdd, #"{"printer": "x1", "settings": []}"#, "settings"),
        (.printerRename, #"{"printer": "x1", "to": "+"}"#, "to"),
        (.restart, "now", ""), (.options, "[]", ""), (.restart, #"{"now": true}"#, "now"),
        (.printerAdd, #"{"printer": "x1", "printer_ip": "192.0.2.7"}"#, "printer_ip"),
        (.printerRename, #"{"printer": "x1", "to": "x2", "force": true}"#, "force"),
        (.printerAcceptCertificate, #"{"printer": "x1", "fingerprint": "5a"}"#, "fingerprint"),
        (
            .printerAcceptCertificate,
            #"{"printer": "x1", "fingerprint": "\#(String(repeating: "xy", count: 32))"}"#, "fingerprint"
        ),
    ])
    func `What is no request is refused with the path of the fault`(verb: RequestVerb, payload: String, path: String) {
        let fault = #expect(throws: ValidationError.self) { try BridgeRequest(verb, payload: Array(payload.utf8)) }
        #expect(fault?.path == path)
    }

    @Test(arguments: [
        (RequestVerb.printerProbe, "{}", "printer"), (.printerRename, #"{"printer": "x1"}"#, "to"),
        (.printerAcceptCertificate, #"{"printer": "x1"}"#, "fingerprint"),
    ])
    func `What is missing is said to be missing`(verb: RequestVerb, payload: String, path: String) {
        let fault = #expect(throws: ValidationError.self) { try BridgeRequest(verb, payload: Array(payload.utf8)) }
        #expect(fault?.path == path && fault?.code == .missing)
    }

    @Test func `What looks like an object and is none is said to be so, with the reason`() {
        let payload = Array(#"{"printer": "x1", "printer": "x2"}"#.utf8)
        let fault = #expect(throws: ValidationError.self) { try BridgeRequest(.printerProbe, payload: payload) }
        #expect(fault?.message.hasSuffix("the name at byte 18 occurs twice") == true, "\(String(describing: fault))")
    }

    @Test(arguments: ["[1]", "{}", "true", #""""#, "\"\(String(repeating: "i", count: 129))\""])
    func `An id that is no short text and no number is refused, and not repeated`(_ id: String) {
        let payload = Array(#"{"id": \#(id), "printer": "x1"}"#.utf8)
        #expect(JSONValue.messageID(in: payload) == nil)
        let fault = #expect(throws: ValidationError.self) { try BridgeRequest(.printerProbe, payload: payload) }
        #expect(fault?.path == "id")
    }
}
