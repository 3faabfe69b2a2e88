import CameraProtocols
import PrinterSamples
import StoredSettings
import Testing

@testable import Bridge
@testable import Cameras
@testable import Printers

@Suite struct RequestHandlerTests {
    private let registry = PrinterRegistry(over: InMemorySettingsStore())
    private let handler: RequestHandler

    init() async {
        handler = RequestHandler(of: BridgeContext(topics: Topics(), registry: registry, logger: .quiet))
        _ = await registry.add("x1", [:], at: "", source: .cli)
    }

    private func perform(_ verb: RequestVerb, _ payload: String) async throws -> [String: JSONValue]? {
        try await handler.perform(verb.rawValue, payload: Array(payload.utf8)).get().objectValue
    }

    /// The faults of a request, after which everything is as it was before.
    private func faults(of verb: RequestVerb, _ payload: String) async -> [ValidationError]? {
        let errors = await #expect(throws: ValidationErrors.self) { try await perform(verb, payload) }
        #expect(registry.ids == ["x1"])
        return errors?.faults
    }

    @Test func `A request has the fields that its verb wants`() async throws {
        let added = try await perform(.printerAdd, #"{"id": 7, "printer": "x2", "settings": {"serial": "A"}}"#)
        #expect(added == ["printer": "x2"] && registry["x2"]?.committed.serial == "A")
        #expect(try await perform(.printerRename, #"{"printer": "x2", "to": "x3"}"#) == ["printer": "x3"])
        #expect(try await perform(.printerRemove, #"{"id": null, "printer": "x3"}"#) == ["printer": "x3"])
        let accept = #"{"printer": "x1", "fingerprint": "\#(String(repeating: "AB:", count: 31))AB"}"#
        #expect(await faults(of: .printerAcceptCertificate, accept) == [.notProbed])
    }

    @Test(arguments: [
        (RequestVerb.printerAdd, "", ""), (.printerAdd, "x1", ""), (.printerAdd, "[]", ""),
        (.printerAdd, "{}", "printer"), (.printerProbe, #"{"printer": 1}"#, "printer"),
        (.printerRemove, #"{"printer": "bridge"}"#, "printer"), (.printerAdd, #"{"printer": "a/b"}"#, "printer"),
        (.printerAdd, #"{"printer": "x2", "settings": []}"#, "settings"),
        (.printerRename, #"{"printer": "x1", "to": "+"}"#, "to"),
        (.restart, "now", ""), (.options, "[]", ""), (.restart, #"{"now": true}"#, "now"),
        (.printerAdd, #"{"printer": "x2", "printer_ip": "192.0.2.7"}"#, "printer_ip"),
        (.printerRename, #"{"printer": "x1", "to": "x2", "force": true}"#, "force"),
        (.printerRemove, #"{"printr": "x1"}"#, "printr"), (.printerProbe, "{}", "printer"),
        (.printerRename, #"{"printer": "x1"}"#, "to"),
        (.printerAcceptCertificate, #"{"printer": "x1"}"#, "fingerprint"),
        (
            .printerAcceptCertificate,
            #"{"printer": "x1", "fingerprint": "\#(String(repeating: "xy", count: 32))"}"#, "fingerprint"
        ),
    ])
    func `What is no request is refused with the fault's path`(verb: RequestVerb, payload: String, path: String) async {
        let faults = await faults(of: verb, payload)
        #expect(faults?.map(\.path) == [path])
        let isMissing = !path.isEmpty && !payload.contains("\"\(path)\"")
        #expect((faults?.first?.code == .missing) == isMissing)
    }

    @Test func `What looks like an object and is none is said to be so, with the reason`() async {
        let fault = await faults(of: .printerProbe, #"{"printer": "x1", "printer": "x2"}"#)?.first
        #expect(fault?.message.hasSuffix("the name at byte 18 occurs twice") == true, "\(String(describing: fault))")
    }

    @Test(arguments: ["[1]", "{}", "true", #""""#, "\"\(String(repeating: "i", count: 129))\""])
    func `An id that is no short text and no number is refused, and not repeated`(_ id: String) async {
        let payload = #"{"id": \#(id), "printer": "x1"}"#
        #expect(JSONValue.messageID(in: Array(payload.utf8)) == nil)
        #expect(await faults(of: .printerProbe, payload)?.map(\.path) == ["id"])
    }
}

extension RequestHandler {
    /// A handler whose probes find healthy cameras.
    init(of context: BridgeContext, _ settings: RuntimeOptions? = nil, restarting: BridgeRestart? = nil) {
        self.init(
            context: context,
            probes: ProbeService(
                registry: context.registry,
                probe: { _, _, _, _ in .found(StreamDetection(streamProtocol: .rtsp, report: .healthy)) },
                post: { _ in },
                logger: .quiet
            ),
            policy: SnapshotPolicy(),
            witness: WitnessService(context, target: { _ in nil }, ReportLedger()),
            settings: settings ?? RuntimeOptions(store: InMemorySettingsStore(), scope: RuntimeOptions.scope),
            restarting: restarting
        )
    }
}
