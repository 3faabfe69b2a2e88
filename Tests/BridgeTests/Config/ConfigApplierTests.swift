import Foundation
import Settings
import TestSupport
import Testing

@testable import Bridge

@Suite struct ConfigApplierTests {
    private let store = InMemorySettingsStore()
    private let registry: PrinterRegistry

    init() { registry = PrinterRegistry(over: store) }

    @Test("A misspelt key is answered with the one that was meant")
    func suggestion() async throws {
        let result = try #require(await registry.receive("x1", #"{"probe_intervall": 60}"#))
        let fault = try #require(result.errors.first)
        #expect(fault.message.contains("did you mean probe_interval?"))
    }

    @Test(
        "No answer repeats a secret, however wrong the message is",
        arguments: [
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
            #""hunter2""#,
        ]
    )
    func discretion(payload: String) async throws {
        let result = try #require(await registry.receive("x1", payload))
        #expect(result.status == .invalid)
        #expect(!result.json().contains("hunter2"))
        #expect(store.record("printer/x1") == nil)
    }

    @Test("An empty message is no wish, and gets no answer")
    func noWish() async {
        let outcomes = await registry.apply([ConfigMessage(printer: "x1", payload: [])])
        #expect(outcomes.map(\.result) == [nil])
        #expect(store.scopes(prefix: "").isEmpty)
    }

    @Test("The answer names the request and the revision that came of it")
    func answer() async throws {
        await registry.receive("x1", "{}")
        let result = try #require(await registry.receive("x1", #"{"id": "abc", "set": {"serial": "00M"}}"#))
        #expect(result.json() == #"{"errors":[],"id":"abc","revision":2,"status":"applied"}"#)
    }

    @Test("A refused request is answered under its id")
    func refusedID() async throws {
        let result = try #require(await registry.receive("x1", #"{"id": "abc", "set": {"serial": 5}}"#))
        #expect(result.id == "abc")
        #expect(result.status == .invalid)
    }

    @Test("What was handled last is committed with the settings")
    func mark() async throws {
        await registry.receive("x1", #"{"id": "abc", "set": {"serial": "00M"}}"#)
        let record = try #require(store.record("printer/x1"))
        #expect(record.applied == ["abc"])
        #expect(record.values["serial"] == "00M")
        #expect(record.updatedBy == "mqtt")
    }

    @Test("What changes nothing is not committed")
    func unchanged() async throws {
        await registry.receive("x1", #"{"serial": "00M"}"#)
        let before = store.record("printer/x1")
        let result = try #require(await registry.receive("x1", #"{"id": "2", "set": {"serial": "00M"}}"#))
        #expect(result.status == .unchanged)
        #expect(store.record("printer/x1") == before)
    }

    @Test(
        "A message with a secret leaves the broker once it is settled, and not before",
        arguments: [
            (#"{"access_code": "12345678"}"#, true),
            (#"{"id": "1", "set": {"access_code": "12345678", "serial": "00M"}}"#, true),
            (#"{"access_code": "********", "serial": "00M"}"#, false),
            (#"{"access_code": null, "serial": "00M"}"#, false),
            (#"{"serial": "00M"}"#, false),
            (#"{"access_code": "12345678", "serial": 5}"#, false),
            (#"{"base_revision": 99, "set": {"access_code": "12345678"}}"#, false),
        ]
    )
    func clearing(payload: String, isToBeCleared: Bool) async {
        let message = ConfigMessage(printer: "x1", payload: Array(payload.utf8), isReplay: false)
        #expect(await registry.apply([message]).map(\.isToBeCleared) == [isToBeCleared])
    }

    @Test("A secret that is replayed and was handled leaves the broker, too")
    func clearingReplay() async {
        let message = ConfigMessage(printer: "x1", payload: Array(#"{"access_code": "1"}"#.utf8), isReplay: true)
        _ = await registry.apply([message])
        let again = await registry.apply([message])
        #expect(again.map(\.result?.status) == [.ignored])
        #expect(again.map(\.isToBeCleared) == [true])
    }

    @Test("A retained wish is recognised however many wishes came after it")
    func longAgo() async {
        let wish = #"{"serial": "00M"}"#
        #expect(await registry.receive("x1", wish, isReplay: true)?.status == .applied)
        for number in 1...100 { await registry.receive("x1", #"{"probe_interval": \#(number + 100)}"#) }
        await registry.receive("x1", #"{"serial": "01P"}"#)
        #expect(await PrinterRegistry(over: store).receive("x1", wish, isReplay: true)?.status == .ignored)
    }

    @Test("A retained wish that changed nothing is recognised after a change, by this run and by the next")
    func idleWish() async throws {
        let wish = #"{"id": "r1", "set": {"serial": "00M"}}"#
        await registry.receive("x1", #"{"serial": "00M"}"#)
        #expect(await registry.receive("x1", wish)?.status == .unchanged)
        await registry.receive("x1", #"{"serial": "01P"}"#)
        #expect(await PrinterRegistry(over: store).receive("x1", wish, isReplay: true)?.status == .ignored)
        #expect(await registry.receive("x1", wish, isReplay: true)?.status == .ignored)
    }

    @Test("A wish that changed nothing is recognised after another process changed something")
    func idleWishAndOthers() async throws {
        let wish = #"{"id": "r1", "set": {"serial": "00M"}}"#
        await registry.receive("x1", #"{"serial": "00M"}"#)
        let following = Task { await registry.followStore() }
        defer { following.cancel() }
        await registry.receive("x1", wish)
        let other = PrinterRegistry(over: store)
        var port = 0
        try await eventually("the mark is on disk") {
            port += 1
            _ = await other.change("x1", ["serial": "01P", "stream_port": .int(port)], source: .cli)
            return store.record("printer/x1")?.applied.contains("r1") == true
        }
        #expect(await PrinterRegistry(over: store).receive("x1", wish, isReplay: true)?.status == .ignored)
    }

    @Test("A wish refused in a storm is refused for good")
    func stormyWish() async throws {
        let time = LockedValue(Date.noon)
        let registry = PrinterRegistry(over: store, stormLimit: 1, now: { time.value })
        var status: ConfigResult.Status?
        for number in 1...1_000 where status != .configStorm {
            status = await registry.receive("x1", #"{"stream_port": \#(number)}"#)?.status
            time.value += 0.1
        }
        let wish = #"{"serial": "refused"}"#
        #expect(await registry.receive("x1", wish)?.status == .configStorm)
        time.value += 60
        #expect(await registry.receive("x1", #"{"serial": "later"}"#)?.status == .applied)
        #expect(await PrinterRegistry(over: store).receive("x1", wish, isReplay: true)?.status == .ignored)
    }

    @Test("What is retained and was never settled is not taken for settled")
    func unsettled() async throws {
        let wish = #"{"serial": "00M"}"#
        try await registry.know(retained: Array(wish.utf8), of: "x1")
        #expect(await registry.receive("x1", wish, isReplay: true)?.status == .applied)
    }

    @Test("A printer removed is not brought back by a retained wish that had changed nothing")
    func idleWishOfOneRemoved() async throws {
        let wish = #"{"id": "r1", "set": {"serial": "00M"}}"#
        await registry.receive("x1", #"{"serial": "00M"}"#)
        await registry.receive("x1", wish)
        _ = try await registry.remove("x1")
        #expect(await PrinterRegistry(over: store).receive("x1", wish, isReplay: true)?.status == .ignored)
    }

    @Test("Another account's wishes are not granted at the next start either")
    func accountChange() async throws {
        await registry.receive("x1", #"{"printer_ip": "192.0.2.7"}"#)
        let stranger = ConfigMessage(
            printer: "x1",
            payload: Array(#"{"printer_ip": "192.0.2.99"}"#.utf8),
            isReplay: true
        )
        let first = await registry.apply([stranger], replayedAs: .accountChange)
        #expect(first.map(\.result?.status) == [.unchanged])
        let second = await registry.apply([stranger], replayedAs: .initialSync)
        #expect(second.map(\.result?.status) == [.ignored])
        let record = try #require(store.record("printer/x1"))
        #expect(record.values["printer_ip"] == "192.0.2.7")
        #expect(record.revision == 1)
    }

    @Test("Creation can be forbidden to the broker, and not to people at the machine")
    func creation() async {
        let registry = PrinterRegistry(over: store, createsPrinters: false)
        #expect(await registry.receive("x1", "{}")?.status == .forbidden)
        #expect(await registry.change("x1", [:], source: .cli)?.status == .applied)
        #expect(await registry.receive("x1", #"{"serial": "00M"}"#)?.status == .applied)
    }
}
