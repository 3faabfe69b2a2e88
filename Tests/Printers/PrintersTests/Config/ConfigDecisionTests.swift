import PrinterSamples
import StoredSettings
import Testing

@testable import Printers

/// A message on `config/set` in one situation, and what is decided about it.
private struct Situation: Sendable {
    enum Trait { case replayed, otherBroker, creationForbidden, storming }

    enum Verdict: Sendable, Hashable {
        case write([String: JSONValue?])
        /// The status, and each error as `path code`.
        case answer(ConfigResult.Status, [String] = [])
        /// The revision of the first answer.
        case repeatAnswer(Int)
    }

    let payload: String
    let traits: Set<Trait>
    let stored: [String: JSONValue]?
    let handled: [String]
    let verdict: Verdict

    init(
        _ payload: String,
        when traits: Set<Trait> = [],
        stored: [String: JSONValue]? = .configured,
        handled: [String] = [],
        _ verdict: Verdict
    ) {
        (self.payload, self.traits, self.stored) = (payload, traits, stored)
        (self.handled, self.verdict) = (handled, verdict)
    }

    /// The store is at revision 12 of epoch `e1`; the digest of a payload is the payload.
    func decided() -> Verdict {
        let request: ConfigRequest
        do { request = try ConfigRequest(.json(Array(payload.utf8))) } catch {
            return .answer(.invalid, error.faults.map { "\($0.path) \($0.code.rawValue)" })
        }
        let record = stored.map { SettingsRecord(values: $0, revision: 12, updatedAt: .noon, updatedBy: "cli") }
        let key = request.id ?? payload
        let context = ConfigContext(
            record: record,
            handled: handled.contains(key) ? HandledCommands.Entry(key: key, status: .applied, revision: 5) : nil,
            epoch: "e1",
            isReplayed: traits.contains(.replayed),
            isOtherBroker: traits.contains(.otherBroker),
            allowsCreation: !traits.contains(.creationForbidden),
            isStorming: traits.contains(.storming)
        )
        switch decide(request, in: context) {
        case .answer(let status, let errors): return .answer(status, errors.map { "\($0.path) \($0.code.rawValue)" })
        case .repeatAnswer(let entry): return .repeatAnswer(entry.revision)
        case .write(let changes): return .write(changes)
        }
    }
}

@Suite struct ConfigDecisionTests {
    @Test(arguments: [patches, envelopes, replays, refusals].flatMap { $0.map { ($0, $1) } })
    fileprivate func `A configuration message is decided by the contract's table`(_: String, _ situation: Situation) {
        #expect(situation.decided() == situation.verdict)
    }

    private static let (otherRevision, otherEpoch) = (["base_revision other_revision"], ["epoch other_epoch"])

    private static let patches: KeyValuePairs<String, Situation> = [
        "a bare patch changes what it names":
            .init(#"{"printer_ip": "192.0.2.8"}"#, .write(["printer_ip": "192.0.2.8"])),
        "only what differs is written":
            .init(#"{"printer_ip": "192.0.2.7", "serial": "00M"}"#, .write(["serial": "00M"])),
        "an access code becomes a secret":
            .init(#"{"access_code": "87654321"}"#, .write(["access_code": .secret("87654321")])),
        "null goes back to the default": .init(#"{"printer_ip": null}"#, .write(["printer_ip": nil])),
        "null on a secret clears it": .init(#"{"access_code": null}"#, .write(["access_code": nil])),
        "the mask means unchanged": .init(#"{"access_code": "********"}"#, .answer(.unchanged)),
        "so does the mask with blanks around it":
            .init(#"{"access_code": " ******** "}"#, .answer(.unchanged)),
        "the mask beside a change leaves the code alone":
            .init(#"{"access_code": "********", "serial": "00M"}"#, .write(["serial": "00M"])),
        "equal values change nothing": .init(#"{"printer_ip": "192.0.2.7"}"#, .answer(.unchanged)),
        "an empty patch changes nothing": .init("{}", .answer(.unchanged)),
        "a default where nothing is stored changes nothing": .init(#"{"probe_interval": 300}"#, .answer(.unchanged)),
        "null where nothing is stored changes nothing": .init(#"{"probe_interval": null}"#, .answer(.unchanged)),
        "a default where something is stored is a change":
            .init(#"{"probe_interval": 300}"#, stored: ["probe_interval": 60], .write(["probe_interval": 300])),
        "a patch for an unknown id creates the printer":
            .init(#"{"printer_ip": "192.0.2.8"}"#, stored: nil, .write(["printer_ip": "192.0.2.8"])),
        "an empty patch creates it, too": .init("{}", stored: nil, .write([:])),
    ]

    private static let envelopes: KeyValuePairs<String, Situation> = [
        "an envelope changes what it sets": .init(#"{"id": "7", "set": {"serial": "00M"}}"#, .write(["serial": "00M"])),
        "the same id again gets the same answer":
            .init(#"{"id": "7", "set": {"serial": "00M"}}"#, handled: ["6", "7"], .repeatAnswer(5)),
        "the present revision and epoch are accepted":
            .init(#"{"base_revision": 12, "epoch": "e1", "set": {"serial": "00M"}}"#, .write(["serial": "00M"])),
        "nulls in an envelope are as if absent": .init(
            #"{"id": null, "base_revision": null, "epoch": null, "set": {"serial": "00M"}}"#,
            .write(["serial": "00M"])
        ),
        "live with an older revision is a conflict":
            .init(#"{"base_revision": 11, "set": {"serial": "00M"}}"#, .answer(.conflict, otherRevision)),
        "live with another epoch is a conflict":
            .init(#"{"base_revision": 12, "epoch": "e0", "set": {"serial": "00M"}}"#, .answer(.conflict, otherEpoch)),
        "the epoch comes before the revision":
            .init(#"{"base_revision": 11, "epoch": "e0", "set": {}}"#, .answer(.conflict, otherEpoch)),
        "a conflict comes before 'unchanged'":
            .init(#"{"base_revision": 11, "set": {}}"#, .answer(.conflict, otherRevision)),
        "a repeated id comes before a conflict":
            .init(#"{"id": "7", "base_revision": 11, "set": {"serial": "00M"}}"#, handled: ["7"], .repeatAnswer(5)),
        "revision 0 is that of a printer to be made":
            .init(#"{"base_revision": 0, "set": {"serial": "00M"}}"#, stored: nil, .write(["serial": "00M"])),
        "a printer that is gone is a conflict":
            .init(#"{"base_revision": 12, "set": {"serial": "00M"}}"#, stored: nil, .answer(.conflict, otherRevision)),
    ]

    private static let replays: KeyValuePairs<String, Situation> = [
        "a replayed command never seen is applied":
            .init(#"{"serial": "00M"}"#, when: [.replayed], .write(["serial": "00M"])),
        "a replayed command is ignored when it was the last one handled":
            .init(#"{"serial": "00M"}"#, when: [.replayed], handled: [#"{"serial": "00M"}"#], .answer(.ignored)),
        "the same command live is meant":
            .init(#"{"serial": "00M"}"#, handled: [#"{"serial": "00M"}"#, "8"], .write(["serial": "00M"])),
        "replayed with an older revision is stale": .init(
            #"{"base_revision": 11, "set": {"serial": "00M"}}"#,
            when: [.replayed],
            .answer(.stale, otherRevision)
        ),
        "replayed with the present revision is applied":
            .init(#"{"base_revision": 12, "set": {"serial": "00M"}}"#, when: [.replayed], .write(["serial": "00M"])),
        "replayed from another epoch is stale": .init(
            #"{"base_revision": 12, "epoch": "e0", "set": {"serial": "00M"}}"#,
            when: [.replayed],
            .answer(.stale, otherEpoch)
        ),
        "a removed printer is not brought back by a command that stayed": .init(
            #"{"serial": "00M"}"#,
            when: [.replayed],
            stored: nil,
            handled: [#"{"serial": "00M"}"#],
            .answer(.ignored)
        ),
        "what another broker retained changes nothing, and the answer says so": .init(
            #"{"printer_ip": "192.0.2.99", "access_code": "stranger"}"#,
            when: [.replayed, .otherBroker],
            .answer(.stale, [" other_broker"])
        ),
        "what another broker retained, and is so already, is unchanged":
            .init(#"{"printer_ip": "192.0.2.7"}"#, when: [.replayed, .otherBroker], .answer(.unchanged)),
        "what is published now on another broker is meant":
            .init(#"{"printer_ip": "192.0.2.99"}"#, when: [.otherBroker], .write(["printer_ip": "192.0.2.99"])),
        "another broker may create what is not here": .init(
            #"{"printer_ip": "192.0.2.99"}"#,
            when: [.replayed, .otherBroker],
            stored: nil,
            .write(["printer_ip": "192.0.2.99"])
        ),
    ]

    private static let refusals: KeyValuePairs<String, Situation> = [
        "creation can be forbidden": .init(
            #"{"printer_ip": "192.0.2.8"}"#,
            when: [.creationForbidden],
            stored: nil,
            .answer(.forbidden, [" creation_forbidden"])
        ),
        "creation forbidden does not forbid changes":
            .init(#"{"printer_ip": "192.0.2.8"}"#, when: [.creationForbidden], .write(["printer_ip": "192.0.2.8"])),
        "changes are refused in a storm":
            .init(#"{"printer_ip": "192.0.2.8"}"#, when: [.storming], .answer(.configStorm, [" config_storm"])),
        "what changes nothing is no part of a storm": .init("{}", when: [.storming], .answer(.unchanged)),
        "what is invalid is so in a storm, too":
            .init(#"{"printer_ip": 5}"#, when: [.storming], .answer(.invalid, ["printer_ip wrong_type"])),
        "text that is not JSON": .init("printer_ip=192.0.2.8", .answer(.invalid, [" not_json"])),
        "more than 64 KiB":
            .init(#"{"name": ""# + String(repeating: "a", count: 65_536) + #""}"#, .answer(.invalid, [" not_json"])),
        "a list": .init("[]", .answer(.invalid, [" wrong_type"])),
        "an unknown key": .init(#"{"printer_ipp": "192.0.2.8"}"#, .answer(.invalid, ["printer_ipp unknown_key"])),
        "the whole reported configuration, sent back": .init(
            #"{"printer_ip": "192.0.2.8", "access_code": "********", "configured": true, "stream_url": null, "meta": {}}"#,
            .answer(.invalid, ["configured read_only", "meta read_only", "stream_url read_only"])
        ),
        "what is only reported, in an envelope":
            .init(#"{"set": {"announced_ip": "192.0.2.8"}}"#, .answer(.invalid, ["set.announced_ip read_only"])),
        "every fault is listed, by path": .init(
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
        "the faults of an envelope, and of what it sets": .init(
            #"{"id": 7, "base_revision": -1, "epoch": "", "sett": 1, "set": {"stream_path": "live", "probe_depth": "deep"}}"#,
            .answer(
                .invalid,
                [
                    "sett unknown_key", "id wrong_type", "base_revision wrong_type", "epoch wrong_type",
                    "set.probe_depth invalid_value", "set.stream_path invalid_value",
                ]
            )
        ),
        "an envelope without a patch": .init(#"{"id": "7"}"#, .answer(.invalid, ["set missing"])),
        "settings beside the envelope's keys":
            .init(#"{"id": "7", "serial": "00M"}"#, .answer(.invalid, ["serial unknown_key", "set missing"])),
        "a patch that is no object": .init(#"{"set": "serial"}"#, .answer(.invalid, ["set wrong_type"])),
        "an id that is too long": .init(
            #"{"set": {}, "id": ""# + String(repeating: "x", count: 129) + #""}"#,
            .answer(.invalid, ["id wrong_type"])
        ),
    ]
}
