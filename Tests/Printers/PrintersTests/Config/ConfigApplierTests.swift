import Foundation
import PrinterSamples
import StoredSettings
import Testing

@testable import Printers

@Suite struct ConfigApplierTests {
    private let store = InMemorySettingsStore()
    private let registry: PrinterRegistry

    init() { registry = PrinterRegistry(over: store) }

    @Test(arguments: [
        #"{"access_code": "hunter2", "serial": 5}"#,
        #"{"access_code": ["hunter2"]}"#,
        #"{"access_code": {"code": "hunter2"}}"#,
        #"{"access_code": "hunter2hunter2hunter2hunter2hunter2hunter2hunter2hunter2hunter2hunter2"}"#,
        #"{"access_code": "hunter2\u0007"}"#,
        #"{"set": {"access_code": "hunter2", "acces_code": "hunter2"}}"#,
        #"{"id": "1", "access_code": "hunter2"}"#,
        #"{"access_code": "hunter2""#,
        #"{"access_code": hunter2}"#,
        #"{"printer_ip": "rtsps://bblp:hunter2@192.0.2.7:322/"}"#,
        #"{"stream_path": "bblp:hunter2"}"#,
        #"{"stream_path": "/live?user=bblp&pwd=hunter2"}"#,
        #""hunter2""#,
    ])
    func `No answer repeats a secret, however wrong the message is`(payload: String) async throws {
        let result = try #require(await registry.receive("x1", payload))
        #expect(result.status == .invalid)
        #expect(!result.json().contains("hunter2"))
        #expect(store.record("printer/x1") == nil)
    }

    @Test func `The answer names the request and the revision that came of it`() async throws {
        await registry.receive("x1", "{}")
        let result = try #require(await registry.receive("x1", #"{"id": "abc", "set": {"serial": "00M"}}"#))
        #expect(result.json() == #"{"errors":[],"id":"abc","revision":2,"status":"applied"}"#)
    }

    @Test(arguments: [
        (#"{"access_code": "12345678"}"#, true),
        (#"{"id": "1", "set": {"access_code": "12345678", "serial": "00M"}}"#, true),
        (#"{"access_code": "********", "serial": "00M"}"#, false),
        (#"{"access_code": null, "serial": "00M"}"#, false),
        (#"{"serial": "00M"}"#, false),
        (#"{"access_code": "12345678", "serial": 5}"#, false),
        (#"{"base_revision": 99, "set": {"access_code": "12345678"}}"#, false),
    ])
    func `A message with a secret leaves the broker once it is settled, and not before`(
        payload: String,
        clearsRetained: Bool
    ) async {
        #expect(await registry.outcome("x1", payload, .unknown)?.clearsRetained == clearsRetained)
    }

    @Test func `A secret that is replayed and was handled leaves the broker, too`() async {
        let payload = #"{"access_code": "1"}"#
        await registry.receive("x1", payload, .replayed)
        let again = await registry.outcome("x1", payload, .replayed)
        #expect(again?.result?.status == .ignored && again?.clearsRetained == true)
    }

    @Test func `An ineffective retained command is recognised after a change by this run and the next`() async throws {
        let command = #"{"id": "r1", "set": {"serial": "00M"}}"#
        await registry.receive("x1", #"{"serial": "00M"}"#)
        #expect(await registry.receive("x1", command)?.status == .unchanged)
        await registry.receive("x1", #"{"serial": "01P"}"#)
        #expect(await PrinterRegistry(over: store).receive("x1", command, .replayed)?.status == .ignored)
        #expect(await registry.receive("x1", command, .replayed)?.status == .ignored)
    }

    @Test func `A retained command refused in its printer's storm stays refused when it is sent again`() async throws {
        let time = LockedValue(Date.noon)
        let registry = PrinterRegistry(over: store, stormLimit: 1, now: { time.value })
        for number in 1...1_000 {
            if await registry.receive("x1", #"{"stream_port": \#(number)}"#)?.status == .configStorm { break }
            time.value += 0.1
        }
        let command = #"{"serial": "refused"}"#
        #expect(await registry.receive("x1", command, .retained)?.status == .configStorm)
        #expect(await registry.receive("x2", command)?.status == .applied, "the storm is the other printer's")
        time.value += 60
        #expect(await registry.receive("x1", #"{"serial": "later"}"#)?.status == .applied)
        #expect(await PrinterRegistry(over: store).receive("x1", command, .replayed)?.status == .ignored)
    }

    @Test func `A retained command that a new connection delivers late does not undo later changes`() async throws {
        let (first, second) = (#"{"serial": "first"}"#, #"{"serial": "second"}"#)
        #expect(await registry.receive("x1", first, .retained)?.status == .applied)
        #expect(await registry.receive("x1", second)?.status == .applied)
        #expect(await registry.receive("x1", first, .perhapsReplayed)?.status == .ignored)
        #expect(store.record("printer/x1")?.values["serial"] == "second")
        #expect(
            await registry.receive("x1", second, .perhapsReplayed)?.status == .unchanged,
            "nobody retained it before"
        )
        #expect(await registry.receive("x1", first, .retained)?.status == .applied, "another one was retained since")
    }

    @Test(
        arguments: [
            (#"{"serial": "1"}"#, .applied, .retained, .ignored, "a bridge between two brokers brought it back"),
            (#"{"serial": "1"}"#, .applied, .none, .applied, "not retained, it is published by somebody"),
            (#"{"id": "a", "set": {"serial": "1"}}"#, .applied, .retained, .applied, "the first answer"),
            (#"{"base_revision": 9, "set": {"serial": "1"}}"#, .conflict, .retained, .conflict, "decided anew"),
        ] as [(String, ConfigResult.Status, ConfigMessage.Retention, ConfigResult.Status, String)]
    )
    func `A returning retained message is ignored without an id, and answered as before with one`(
        payload: String,
        first: ConfigResult.Status,
        retention: ConfigMessage.Retention,
        second: ConfigResult.Status,
        why: String
    ) async {
        #expect(await registry.receive("x1", payload, .retained)?.status == first)
        await registry.receive("x1", #"{"serial": "2"}"#)
        let isAppliedAgain = retention == .none
        #expect(await registry.receive("x1", payload, retention)?.status == second, "\(why)")
        #expect(store.record("printer/x1")?.values["serial"] == (isAppliedAgain ? "1" : "2"), "\(why)")
    }

    @Test func `A refused command is applied when republished with its id, then answered as applied`() async throws {
        await registry.receive("x1", #"{"serial": "old"}"#)
        let payload = #"{"id": "a1", "set": {"serial": "new", "access_code": "12345678"}}"#
        let stale = await registry.outcome("x1", payload, .replayed, isOtherBroker: true)
        #expect(stale?.result?.status == .stale && stale?.clearsRetained == false)
        let replayed = await registry.outcome("x1", payload, .replayed)
        #expect(replayed?.result?.status == .ignored)
        #expect(replayed?.clearsRetained == false, "the broker has the only copy of a code that was never applied")
        let again = await registry.outcome("x1", payload, .retained)
        #expect(again?.result?.status == .applied && again?.clearsRetained == true)
        #expect(store.record("printer/x1")?.values["serial"] == "new")
        #expect(await registry.receive("x1", payload) == again?.result)
    }

    @Test func `A live command restores a removed printer, but a retained one is ignored and cleared`() async throws {
        let command = #"{"printer_ip": "192.0.2.7"}"#
        await registry.receive("x1", command, .retained)
        _ = try await registry.remove("x1")
        let again = await registry.outcome("x1", command, .retained)
        #expect(again?.result?.status == .ignored && again?.clearsRetained == true)
        #expect(await registry.receive("x1", command)?.status == .applied)
    }

    @Test func `An answer lists a few faults, however many there are`() async throws {
        let keys = (1...250).map { #""key\#($0)": 1"# }.joined(separator: ",")
        let result = try #require(await registry.receive("x1", "{\(keys)}"))
        #expect(result.json().utf8.count < 10_000)
        #expect(result.json().contains("and 230 more"))
    }

    @Test func `Refused messages are remembered of a limited number of ids that never had a printer`() async throws {
        let registry = PrinterRegistry(over: store, createsPrinters: false)
        let ids = try (0...HandledCommands.strangerLimit).map { try #require(PrinterID("x\($0)")) }
        let messages = ids.map { ConfigMessage(printer: $0, payload: Array("{}".utf8), retention: .retained) }
        _ = await registry.apply(messages)
        #expect(try store.scopes(prefix: "handled/").count == HandledCommands.strangerLimit)
        #expect(await registry.receive(ids[0], "{}", .replayed)?.status == .ignored)
        let last = ids[HandledCommands.strangerLimit]
        #expect(await registry.receive(last, "{}", .replayed)?.status == .forbidden)
        #expect(await registry.add(last, [:], source: .request)?.status == .applied)
        #expect(await registry.receive(last, "{}", .replayed)?.status == .unchanged)
    }

    @Test func `Refused retained commands stay refused and retained in each run until published again`() async throws {
        let registry = PrinterRegistry(over: store, createsPrinters: false)
        let forbidden =
            ["a", "b"].map { #"{"id": "\#($0)", "set": {"serial": "\#($0)", "access_code": "code"}}"# }
            + [#"{"serial": "c", "access_code": "another"}"#]
        for command in forbidden { #expect(await registry.receive("x1", command, .retained)?.status == .forbidden) }
        #expect(await registry.add("x1", ["serial": "mine"], source: .request)?.status == .applied)
        let conflict = #"{"base_revision": 2, "set": {"serial": "second"}}"#
        #expect(await registry.receive("x1", conflict, .retained)?.status == .conflict)
        for again in [registry, PrinterRegistry(over: store)] {
            for command in forbidden + [conflict] {
                let replayed = await again.outcome("x1", command, .replayed)
                #expect(replayed?.result?.status == .ignored && replayed?.clearsRetained == false)
            }
        }
        for command in forbidden {
            let published = await registry.outcome("x1", command, .retained)
            #expect(published?.result?.status == .applied && published?.clearsRetained == true)
        }
    }

    @Test(arguments: [ConfigMessage.Retention.retained, .unknown])
    func `A retained command that could not be saved is tried again unless a later change came`(
        retention: ConfigMessage.Retention
    ) async throws {
        let store = FailingStore()
        let registry = PrinterRegistry(over: store)
        let command = #"{"serial": "unsaved"}"#
        let earlier = #"{"id": "earlier", "set": {"name": "A"}}"#
        #expect(await registry.receive("x1", earlier)?.status == .applied)
        store.fails = true
        for id: PrinterID in ["x1", "x2"] {
            #expect(await registry.receive(id, command, retention)?.status == .failed)
        }
        store.fails = false
        #expect(await registry.receive("x1", earlier)?.revision == 1, "the first answer again, and no change")
        #expect(await registry.receive("x1", command, .replayed)?.status == .applied)
        #expect(await registry.receive("x2", #"{"serial": "later"}"#)?.status == .applied)
        for again in [registry, PrinterRegistry(over: store)] {
            #expect(await again.receive("x2", command, .replayed)?.status == .ignored)
        }
    }

    @Test func `A printer that another program has just added stays as it is when it is added again`() async throws {
        let registry = PrinterRegistry(over: store)
        try await registry.load()
        #expect(await PrinterRegistry(over: store).add("x1", ["serial": "theirs"], source: .cli)?.status == .applied)
        #expect(await registry.add("x1", ["serial": "mine"], source: .request)?.status == .conflict)
        #expect(store.record("printer/x1")?.values["serial"] == "theirs")
        let fault = await registry.add("x2", ["serial": 5], source: .request)?.errors.first
        #expect(fault?.path == "serial")
    }
}
