import Foundation
import PrinterSamples
import StoredSettings
import Testing

@testable import Printers

@Suite("Commands that were handled")
struct HandledCommandsTests {
    private func handled(_ count: Int) -> HandledCommands {
        var handled = HandledCommands()
        for number in 1...count {
            handled.insert(HandledCommands.Entry(key: "id\(number)", status: .applied, revision: number))
        }
        return handled
    }

    @Test("At least the last 240 are known, with their answers", arguments: [1, 15, 16, 17, 240, 256, 257, 1_000])
    func limit(count: Int) {
        let handled = handled(count)
        for number in max(1, count - HandledCommands.limit + 1)...count {
            #expect(handled["id\(number)"]?.revision == number)
        }
        if count > 256 { #expect(handled["id\(count - 256)"] == nil) }
    }

    @Test("One more message changes one value in the store")
    func cost() async throws {
        let store = InMemorySettingsStore()
        let before = handled(100)
        try await store.transact { try $0.keep(before, of: "x1", at: .now) }
        let changes = try await store.transact { transaction in
            var handled = try transaction.handledCommands(of: "x1")
            handled.insert(HandledCommands.Entry(key: "next", status: .applied, revision: 101))
            try transaction.keep(handled, of: "x1", at: .now)
            return handled.changes
        }
        #expect(changes.count == 1)
        let after = try await store.transact { try $0.handledCommands(of: "x1") }
        #expect(after["next"]?.revision == 101 && after["id100"]?.revision == 100)
    }

    @Test(
        "The lists of earlier versions are taken over",
        arguments: [
            ["recent": SettingValue.array((1...100).map { .array([.string("id\($0)"), "applied", .int($0)]) })],
            Dictionary(
                uniqueKeysWithValues: (0...6).map { page in
                    let entries = (page * 16 + 1...min(page * 16 + 16, 100)).map { number in
                        SettingValue.array([.string("id\(number)"), "applied", .int(number)])
                    }
                    return ("page\(page)", SettingValue.array([.int(page)] + entries))
                }
            ),
        ]
    )
    func earlierVersions(lists: [String: SettingValue]) async throws {
        let store = InMemorySettingsStore()
        let values = lists.merging(["retained": "id7"]) { $1 }.mapValues(SettingValue?.some)
        try await store.transact { try $0.update("handled/x1", values, by: "test", at: .now) }
        let handled = try await store.transact { transaction in
            var handled = try transaction.handledCommands(of: "x1")
            #expect(handled["id1"]?.revision == 1)
            handled.insert(HandledCommands.Entry(key: "next", status: .applied, revision: 101))
            try transaction.keep(handled, of: "x1", at: .now)
            return try transaction.handledCommands(of: "x1")
        }
        for number in 1...100 { #expect(handled["id\(number)"]?.revision == number) }
        #expect(handled["next"]?.revision == 101)
        #expect(handled.retained == "id7")
        let stored = store.record("handled/x1")?.values ?? [:]
        #expect(stored.values.allSatisfy { $0.arrayValue == nil }, "no list is left")
    }

    @Test(
        "A key is found whatever characters it has, and no other key for it",
        arguments: ["1", "a\tb", "a\nb", "\"", "\\", "é", "id\u{0}", "page0", "\u{301}x", " ", "1\tapplied"]
    )
    func oddKeys(key: String) {
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

    @Test("A page that is damaged is left alone", arguments: ["", "5", "x\n", "-1\n", "\(Int.max)\n"])
    func damagedPage(text: String) {
        var handled = HandledCommands(["page5": .string(text), "retained": "kept"])
        handled.insert(HandledCommands.Entry(key: "next", status: .applied, revision: 1))
        #expect(handled["next"]?.revision == 1 && handled["kept"] != nil)
    }

    @Test("No number of other messages pushes out the retained command")
    func retained() {
        var handled = handled(10)
        handled.setRetained("kept")
        for number in 11...1_000 { handled.insert(HandledCommands.Entry(key: "id\(number)")) }
        #expect(handled["kept"] != nil)
    }
}
