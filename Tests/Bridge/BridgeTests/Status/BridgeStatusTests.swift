import Foundation
import Logging
import PrinterSamples
import StoredSettings
import Testing

@testable import Bridge
@testable import Printers

@Suite struct BridgeStatusTests {
    @Test func `The log on the broker has info and above, as many as a person can read`() {
        let tap = LogTap()
        var made = 0
        func add(_ number: Int, after seconds: Double = 0, level: Logger.Level = .info) {
            tap.add(level, at: .noon + seconds) {
                made += 1
                return ("\(number)", [:])
            }
        }
        add(0, level: .debug)
        for number in 1...100 { add(number) }
        let (entries, dropped) = tap.inbox.take()
        #expect(entries.map { $0.objectValue?["message"]?.stringValue } == (1...50).map(String.init))
        #expect(dropped == 50)
        #expect(made == 50, "No text was made for the others")
        add(101, after: 0.05)
        #expect(tap.inbox.take().entries.isEmpty)
        add(102, after: 0.2)
        #expect(tap.inbox.take().entries.map { $0.objectValue?["message"]?.stringValue } == ["102"])
    }

    @Test func `An entry has time, level, message and metadata`() {
        let tap = LogTap()
        tap.add(.warning, at: .noon) { ("m", ["a": "b"]) }
        let json = #"{"level":"warning","message":"m","metadata":{"a":"b"},"time":"2026-09-21T14:13:20Z"}"#
        #expect(tap.inbox.take().entries.map { $0.json() } == [json])
    }

    @Test func `Health is published until it would be old, with every counter and every status`() throws {
        let counts: [BridgeCounters.Event: Int] = [.published: 5]
        let health = BridgeHealth(
            uptime: 61,
            residentMemory: 1,
            counters: counts,
            printers: [.down: 2],
            time: .noon,
            steady: .noon - 1
        )
        var info = BridgeInfo.sample
        let context = RenderContext(topics: Topics(base: "b"), epoch: "e", version: "1")
        #expect(info.topics(in: context)["b/bridge/health"] == nil)
        info.health = health
        let message = try #require(info.topics(in: context)["b/bridge/health"])
        #expect(message.validUntil == .noon + 149)
        let document = try #require(try JSONValue(json: message.payload).objectValue)
        #expect(document["uptime"] == 61)
        #expect(document["counters"]?.objectValue?.count == 11, "nothing of sharing")
        info.health?.counters[.leases] = 1
        let member = try #require(info.topics(in: context)["b/bridge/health"])
        let counters = try JSONValue(json: member.payload).objectValue?["counters"]?.objectValue
        #expect(counters?.count == BridgeCounters.Event.allCases.count)
        #expect(document["counters"]?.objectValue?["mqtt_published"] == 5)
        #expect(document["printers"]?.objectValue?["down"] == 2)
    }

    @Test func `This process's own memory is known where the system tells`() async {
        let registry = PrinterRegistry(over: InMemorySettingsStore())
        let context = BridgeContext(topics: Topics(), registry: registry, logger: .quiet)
        #expect(context.health.residentMemory ?? 0 > 1_000_000)
    }
}
