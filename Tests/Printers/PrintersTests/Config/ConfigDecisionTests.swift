import PrinterSamples
import StoredSettings
import Testing

@testable import Printers

/// What is decided about one message on `config/set`, in one situation.
private struct Situation: Sendable, CustomTestStringConvertible {
    enum Verdict: Sendable, Hashable {
        case write([String: JSONValue?])
        /// The status, and each error as `path code`.
        case answer(ConfigResult.Status, [String] = [])
        /// The revision of the first answer.
        case repeatAnswer(Int)
    }

    var testDescription: String
    var payload: String
    var stored: [String: JSONValue]? = ["printer_ip": "192.0.2.7", "access_code": .secret("12345678")]
    var handled: [String] = []
    var isReplayed = false
    var isOtherBroker = false
    var allowsCreation = true
    var isStorming = false
    var verdict: Verdict

    init(
        _ description: String,
        _ payload: String,
        stored: [String: JSONValue]? = .configured,
        handled: [String] = [],
        isReplayed: Bool = false,
        isOtherBroker: Bool = false,
        allowsCreation: Bool = true,
        isStorming: Bool = false,
        _ verdict: Verdict
    ) {
        testDescription = description
        self.payload = payload
        self.stored = stored
        self.handled = handled
        self.isReplayed = isReplayed
        self.isOtherBroker = isOtherBroker
        self.allowsCreation = allowsCreation
        self.isStorming = isStorming
        self.verdict = verdict
    }

    /// The store is at revision 12 of epoch `e1`; the digest of a payload is the payload.
    func decided() -> Verdict {
        let request: ConfigRequest
        do { request = try ConfigRequest(.json(Array(payload.utf8))) } catch {
            return .answer(.invalid, error.faults.map { "\($0.path) \($0.code.rawValue)" })
        }
        let record = stored.map {
            SettingsRecord(values: $0, revision: 12, updatedAt: .noon, updatedBy: "cli")
        }
        let key = request.id ?? payload
        let context = ConfigContext(
            record: record,
            handled: handled.contains(key) ? HandledCommands.Entry(key: key, status: .applied, revision: 5) : nil,
            epoch: "e1",
            isReplayed: isReplayed,
            isOtherBroker: isOtherBroker,
            allowsCreation: allowsCreation,
            isStorming: isStorming
        )
        switch decide(request, in: context) {
        case .answer(let status, let errors): return .answer(status, errors.map { "\($0.path) \($0.code.rawValue)" })
        case .repeatAnswer(let entry): return .repeatAnswer(entry.revision)
        case .write(let changes): return .write(changes)
        }
    }
}

@Suite struct ConfigDecisionTests {
    @Test(arguments: patches + envelopes + replays + refusals)
    fileprivate func `A configuration message is decided by the contract's table`(_ situation: Situation) {
        #expect(situation.decided() == situation.verdict)
    }

    private static let patches: [Situation] = [
        Situation(
            "a bare patch changes what it names",
            #"{"printer_ip": "192.0.2.8"}"#,
            .write(["printer_ip": "192.0.2.8"])
        ),
        Situation(
            "only what differs is written",
            #"{"printer_ip": "192.0.2.7", "serial": "00M"}"#,
            .write(["serial": "00M"])
        ),
        Situation(
            "an access code becomes a secret",
            #"{"access_code": "87654321"}"#,
            .write(["access_code": .secret("87654321")])
        ),
        Situation("null goes back to the default", #"{"printer_ip": null}"#, .write(["printer_ip": nil])),
        Situation("null on a secret clears it", #"{"access_code": null}"#, .write(["access_code": nil])),
        Situation("the mask means unchanged", #"{"access_code": "********"}"#, .answer(.unchanged)),
        Situation(
            "the mask beside a change leaves the code alone",
            #"{"access_code": "********", "serial": "00M"}"#,
            .write(["serial": "00M"])
        ),
        Situation("equal values change nothing", #"{"printer_ip": "192.0.2.7"}"#, .answer(.unchanged)),
        Situation("an empty patch changes nothing", "{}", .answer(.unchanged)),
        Situation(
            "a default where nothing is stored changes nothing",
            #"{"probe_interval": 300}"#,
            .answer(.unchanged)
        ),
        Situation("null where nothing is stored changes nothing", #"{"probe_interval": null}"#, .answer(.unchanged)),
        Situation(
            "a default where something is stored is a change",
            #"{"probe_interval": 300}"#,
            stored: ["probe_interval": 60],
            .write(["probe_interval": 300])
        ),
        Situation(
            "a patch for an unknown id creates the printer",
            #"{"printer_ip": "192.0.2.8"}"#,
            stored: nil,
            .write(["printer_ip": "192.0.2.8"])
        ),
        Situation("an empty patch creates it, too", "{}", stored: nil, .write([:])),
    ]

    private static let envelopes: [Situation] = [
        Situation(
            "an envelope changes what it sets",
            #"{"id": "7", "set": {"serial": "00M"}}"#,
            .write(["serial": "00M"])
        ),
        Situation(
            "the same id again gets the same answer",
            #"{"id": "7", "set": {"serial": "00M"}}"#,
            handled: ["6", "7"],
            .repeatAnswer(5)
        ),
        Situation(
            "the present revision and epoch are accepted",
            #"{"base_revision": 12, "epoch": "e1", "set": {"serial": "00M"}}"#,
            .write(["serial": "00M"])
        ),
        Situation(
            "nulls in an envelope are as if absent",
            #"{"id": null, "base_revision": null, "epoch": null, "set": {"serial": "00M"}}"#,
            .write(["serial": "00M"])
        ),
        Situation(
            "live with an older revision is a conflict",
            #"{"base_revision": 11, "set": {"serial": "00M"}}"#,
            .answer(.conflict, ["base_revision other_revision"])
        ),
        Situation(
            "live with another epoch is a conflict",
            #"{"base_revision": 12, "epoch": "e0", "set": {"serial": "00M"}}"#,
            .answer(.conflict, ["epoch other_epoch"])
        ),
        Situation(
            "a conflict comes before 'unchanged'",
            #"{"base_revision": 11, "set": {}}"#,
            .answer(.conflict, ["base_revision other_revision"])
        ),
        Situation(
            "a repeated id comes before a conflict",
            #"{"id": "7", "base_revision": 11, "set": {"serial": "00M"}}"#,
            handled: ["7"],
            .repeatAnswer(5)
        ),
        Situation(
            "revision 0 is that of a printer to be made",
            #"{"base_revision": 0, "set": {"serial": "00M"}}"#,
            stored: nil,
            .write(["serial": "00M"])
        ),
        Situation(
            "a printer that is gone is a conflict",
            #"{"base_revision": 12, "set": {"serial": "00M"}}"#,
            stored: nil,
            .answer(.conflict, ["base_revision other_revision"])
        ),
    ]

    private static let replays: [Situation] = [
        Situation(
            "a replayed command never seen is applied",
            #"{"serial": "00M"}"#,
            isReplayed: true,
            .write(["serial": "00M"])
        ),
        Situation(
            "a replayed command is ignored when it was the last one handled",
            #"{"serial": "00M"}"#,
            handled: [#"{"serial": "00M"}"#],
            isReplayed: true,
            .answer(.ignored)
        ),
        Situation(
            "the same command live is meant",
            #"{"serial": "00M"}"#,
            handled: [#"{"serial": "00M"}"#, "8"],
            .write(["serial": "00M"])
        ),
        Situation(
            "replayed with an older revision is stale",
            #"{"base_revision": 11, "set": {"serial": "00M"}}"#,
            isReplayed: true,
            .answer(.stale, ["base_revision other_revision"])
        ),
        Situation(
            "replayed with the present revision is applied",
            #"{"base_revision": 12, "set": {"serial": "00M"}}"#,
            isReplayed: true,
            .write(["serial": "00M"])
        ),
        Situation(
            "replayed from another epoch is stale",
            #"{"base_revision": 12, "epoch": "e0", "set": {"serial": "00M"}}"#,
            isReplayed: true,
            .answer(.stale, ["epoch other_epoch"])
        ),
        Situation(
            "a removed printer is not brought back by a command that stayed",
            #"{"serial": "00M"}"#,
            stored: nil,
            handled: [#"{"serial": "00M"}"#],
            isReplayed: true,
            .answer(.ignored)
        ),
        Situation(
            "what another broker retained changes nothing, and the answer says so",
            #"{"printer_ip": "192.0.2.99", "access_code": "stranger"}"#,
            isReplayed: true,
            isOtherBroker: true,
            .answer(.stale, [" other_broker"])
        ),
        Situation(
            "what another broker retained, and is so already, is unchanged",
            #"{"printer_ip": "192.0.2.7"}"#,
            isReplayed: true,
            isOtherBroker: true,
            .answer(.unchanged)
        ),
        Situation(
            "what is published now on another broker is meant",
            #"{"printer_ip": "192.0.2.99"}"#,
            isOtherBroker: true,
            .write(["printer_ip": "192.0.2.99"])
        ),
        Situation(
            "another broker may create what is not here",
            #"{"printer_ip": "192.0.2.99"}"#,
            stored: nil,
            isReplayed: true,
            isOtherBroker: true,
            .write(["printer_ip": "192.0.2.99"])
        ),
    ]

    private static let refusals: [Situation] = [
        Situation(
            "creation can be forbidden",
            #"{"printer_ip": "192.0.2.8"}"#,
            stored: nil,
            allowsCreation: false,
            .answer(.forbidden, [" creation_forbidden"])
        ),
        Situation(
            "creation forbidden does not forbid changes",
            #"{"printer_ip": "192.0.2.8"}"#,
            allowsCreation: false,
            .write(["printer_ip": "192.0.2.8"])
        ),
        Situation(
            "changes are refused in a storm",
            #"{"printer_ip": "192.0.2.8"}"#,
            isStorming: true,
            .answer(.configStorm, [" config_storm"])
        ),
        Situation("what changes nothing is no part of a storm", "{}", isStorming: true, .answer(.unchanged)),
        Situation(
            "what is invalid is so in a storm, too",
            #"{"printer_ip": 5}"#,
            isStorming: true,
            .answer(.invalid, ["printer_ip wrong_type"])
        ),
        Situation("text that is not JSON", "printer_ip=192.0.2.8", .answer(.invalid, [" not_json"])),
        Situation(
            "more than 64 KiB",
            #"{"name": ""# + String(repeating: "a", count: 65_536) + #""}"#,
            .answer(.invalid, [" not_json"])
        ),
        Situation("a list", "[]", .answer(.invalid, [" wrong_type"])),
        Situation("an unknown key", #"{"printer_ipp": "192.0.2.8"}"#, .answer(.invalid, ["printer_ipp unknown_key"])),
        Situation(
            "the whole reported configuration, sent back",
            #"{"printer_ip": "192.0.2.8", "access_code": "********", "configured": true, "stream_url": null, "meta": {}}"#,
            .answer(.invalid, ["configured read_only", "meta read_only", "stream_url read_only"])
        ),
        Situation(
            "what is only reported, in an envelope",
            #"{"set": {"announced_ip": "192.0.2.8"}}"#,
            .answer(.invalid, ["set.announced_ip read_only"])
        ),
        Situation(
            "every fault is listed, by path",
            #"{"probe_interval": "fast", "name": 5, "frobnicate": 1, "stream_port": 0, "model": "mk4", "serial": ""#
                + String(repeating: "0", count: 33) + #""}"#,
            .answer(
                .invalid,
                [
                    "frobnicate unknown_key", "model invalid_value", "name wrong_type", "probe_interval wrong_type",
                    "serial too_long", "stream_port out_of_range",
                ]
            )
        ),
        Situation(
            "the faults of an envelope, and of what it sets",
            #"{"id": 7, "base_revision": -1, "epoch": "", "sett": 1, "set": {"stream_path": "live", "probe_depth": "deep"}}"#,
            .answer(
                .invalid,
                [
                    "sett unknown_key", "id wrong_type", "base_revision wrong_type", "epoch wrong_type",
                    "set.probe_depth invalid_value", "set.stream_path invalid_value",
                ]
            )
        ),
        Situation("an envelope without a patch", #"{"id": "7"}"#, .answer(.invalid, ["set missing"])),
        Situation(
            "settings beside the envelope's keys",
            #"{"id": "7", "serial": "00M"}"#,
            .answer(.invalid, ["serial unknown_key", "set missing"])
        ),
        Situation("a patch that is no object", #"{"set": "serial"}"#, .answer(.invalid, ["set wrong_type"])),
        Situation(
            "an id that is too long",
            #"{"set": {}, "id": ""# + String(repeating: "x", count: 129) + #""}"#,
            .answer(.invalid, ["id wrong_type"])
        ),
    ]
}
