import Foundation
import PrinterSamples
import StoredSettings
import Testing

@testable import Bridge
@testable import Printers

@Suite("What the broker has of a printer that is gone") struct TopicLedgerTests {
    private let context = RenderContext(topics: Topics(base: "b", discoveryPrefix: "h"), epoch: "e", version: "1")

    /// Clears what is left of x1.
    private func clear(_ ledger: inout TopicLedger) -> [String] {
        let work = ledger.update("x1", nil as Printer?, in: context).work
        for work in work { ledger.settle(work, .taken) }
        return work.map(\.step.topic)
    }

    @Test("is cleared, and again in each session: a broker that crashes brings it back")
    func again() {
        var ledger = TopicLedger(earlier: ["x1": Manifest.Entry(held: ["b/x1/config"])])
        #expect(clear(&ledger) == ["b/x1/config", "b/x1/config/set"])
        #expect(ledger.entry(of: "x1") == Manifest.Entry(cleared: ["b/x1/config"]))
        #expect(ledger.takeShrunk() == ["x1"])
        #expect(clear(&ledger) == [])
        for _ in 1...2 {
            ledger.forgetPublished()
            #expect(ledger.owners == ["x1"])
            #expect(clear(&ledger) == ["b/x1/config"], "and no command that somebody has left there since")
            #expect(ledger.takeShrunk() == [], "which is no news for the disk")
        }
    }

    @Test("is cleared by later runs for a day, then once more, and forgotten")
    func day() {
        let entry = Manifest.Entry(cleared: ["b/x1/config"], changedAt: .noon)
        var next = TopicLedger(earlier: ["x1": entry], at: .noon + 3_600)
        #expect(clear(&next) == ["b/x1/config"])
        #expect(next.entry(of: "x1").cleared == ["b/x1/config"])
        var last = TopicLedger(earlier: ["x1": entry], at: .noon + 25 * 3_600)
        #expect(clear(&last) == ["b/x1/config"])
        #expect(last.entry(of: "x1") == Manifest.Entry())
        #expect(last.takeShrunk() == ["x1"])
    }

    @Test("is not cleared again when the printer is back")
    func back() async throws {
        var ledger = TopicLedger(earlier: ["x1": Manifest.Entry(held: ["b/x1/config"])])
        _ = clear(&ledger)
        let registry = PrinterRegistry(over: InMemorySettingsStore())
        await registry.receive("x1", "{}")
        let printer = try #require(await registry["x1"])
        _ = ledger.update("x1", printer, in: context)
        ledger.forgetPublished()
        let work = ledger.update("x1", printer, in: context).work
        #expect(!work.contains { $0.step == .clear(topic: "b/x1/config") })
    }
}
