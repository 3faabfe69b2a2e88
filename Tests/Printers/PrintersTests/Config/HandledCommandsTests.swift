import Foundation
import PrinterSamples
import StoredSettings
import Testing

@testable import Printers

@Suite("Commands that were handled")
struct HandledCommandsTests {
    private func handled(_ count: Int) -> HandledCommands {
        var handled = HandledCommands()
        // One of them was refused before, and counts from when it was applied.
        handled.insert(HandledCommands.Entry(key: "id\(max(1, count - 100))", status: .conflict))
        for number in 1...count {
            handled.insert(HandledCommands.Entry(key: "id\(number)", status: .applied, revision: number))
        }
        return handled
    }

    @Test(arguments: [1, 239, 240, 241, 255, 256, 480, 1_000])
    func `The last 240 are known, with their answers`(count: Int) {
        let handled = handled(count)
        for number in max(1, count - 240 + 1)...count {
            #expect(handled["id\(number)"]?.revision == number)
        }
        let most = HandledCommands.limit + HandledCommands.slack
        if count > most { #expect(handled["id\(count - most)"] == nil) }
    }

    @Test func `The last 240 are known when each came in a transaction of its own, and after a rename`() async throws {
        let store = InMemorySettingsStore()
        for number in 1...700 {
            try await store.transact { transaction in
                if number == 400 { try transaction.copyHandledCommands(of: "x1", to: "x2") }
                let printer: PrinterID = number < 400 ? "x1" : "x2"
                var handled = try transaction.handledCommands(of: printer)
                handled.insert(HandledCommands.Entry(key: "id\(number)", status: .applied, revision: number))
                try transaction.keep(handled, of: printer, at: .now)
                let first = max(1, number - HandledCommands.limit + 1)
                let lost = (first...number).filter { handled["id\($0)"]?.revision != $0 }
                #expect(lost.isEmpty, "after \(number)")
                if (2..<240).contains(number) { #expect(handled.changes.count == 1, "one value is written") }
            }
        }
    }

    @Test(arguments: [
        "1", "a\tb", "a\nb", "\"", "\\", "é", "e\u{301}", "id\u{0}", "0", "\u{301}x", " ", "retained", "%", "%25",
    ])
    func `A key is found whatever characters it has, and no other key for it`(key: String) {
        var handled = handled(40)
        #expect(handled[key] == nil)
        handled.insert(HandledCommands.Entry(key: key, status: .stale, revision: 41))
        #expect(handled[key] == HandledCommands.Entry(key: key, status: .stale, revision: 41))
        handled.insert(HandledCommands.Entry(key: key, status: .applied, revision: 42))
        #expect(
            handled[key] == HandledCommands.Entry(key: key, status: .applied, revision: 42),
            "it was refused before"
        )
        handled.insert(HandledCommands.Entry(key: key, status: .applied, revision: 43))
        #expect(handled[key]?.revision == 42)
        #expect(handled["d1"] == nil && handled["id"] == nil && handled["id1"]?.revision == 1)
    }

    @Test(
        arguments: ["", 5, "5", "x applied 1", "1 applied x", .array([.int(.max), "a", "applied", 1])] as [JSONValue]
    )
    func `A value that is damaged is left alone`(value: JSONValue) {
        let record = SettingsRecord(
            values: ["5": value, "%retained": "kept"],
            revision: 1,
            updatedAt: .now,
            updatedBy: "test"
        )
        var handled = HandledCommands(record)
        handled.insert(HandledCommands.Entry(key: "next", status: .applied, revision: 1))
        #expect(handled["next"]?.revision == 1 && handled["kept"] != nil && handled["5"] == nil)
    }

    @Test func `No number of other messages pushes out the retained command`() {
        var handled = handled(10)
        handled.setRetained("kept")
        for number in 11...1_000 { handled.insert(HandledCommands.Entry(key: "id\(number)")) }
        #expect(handled["kept"] != nil)
    }
}
