import Dispatch
import Foundation
import Settings
import TestSupport
import Testing

@Suite("transactions that share a commit")
@MainActor
struct SharedCommitTests {
    private struct Refused: Error {}

    @Test("each see what those before them did, as if they had waited", arguments: FileStoreKind.allCases)
    func oneAfterTheOther(kind: FileStoreKind) async throws {
        let directory = try TemporaryDirectory()
        let path = directory.file("store").path
        let store = try kind.open(path)
        try await store.transact { try $0.update("a", ["before": 1, "x": 0], by: "test", at: Date()) }

        let bodies: [@Sendable (inout SettingsTransaction) throws -> Void] = [
            { try $0.update("a", ["x": 1], by: "test", at: Date()) },
            { try $0.remove("a") },
            { transaction in
                let values = try transaction.update("a", ["y": 2], by: "test", at: Date()).values
                #expect(values == ["y": 2])
            },
            { try $0.update("b", ["code": .secret("access")], by: "test", at: Date()) },
            { try $0.rename("b", to: "c", by: "test", at: Date()) },
            { transaction in
                try transaction.update("c", ["code": .secret("other"), "z": 1], by: "test", at: Date())
                throw Refused()
            },
            { transaction in
                let revision = try transaction.update("made", ["x": 1], by: "test", at: Date()).revision
                #expect(revision == 1)
            },
            { try $0.remove("made") },
        ]
        // Tasks of one actor begin in order, and each hands in its transaction before it waits.
        let gate = DispatchSemaphore(value: 0)
        let first = Task { try await store.transact { _ in gate.wait() } }
        let tasks = bodies.map { body in Task { try await store.transact { try body(&$0) } } }
        await Task { _ = gate.signal() }.value
        try await first.value
        var refused = 0
        for task in tasks {
            do { try await task.value } catch is Refused { refused += 1 }
        }
        #expect(refused == 1)

        try store.shut()
        let again = try kind.open(path)
        #expect(try again.records(prefix: "").mapValues(\.values) == ["a": ["y": 2], "c": ["code": .secret("access")]])
        #expect(try again.record("a")?.revision == 3)
        let made = try await again.transact { try $0.update("made", ["x": 1], by: "test", at: Date()) }
        #expect(made.revision == 2)
    }
}
