import Foundation
import PrinterSamples
import StoredSettings
import TestSupport
import Testing

@testable import Printers

/// Two controllers, a broker that delivers late, a bridge that crashes: all in an order that chance decides.
@Suite("Two controllers at once", .timeLimit(.minutes(5)))
struct InterleavingTests {
    private static let rounds = ProcessInfo.processInfo.environment["SOAK"] == "1" ? 10_000 : 1_000

    @Test func `Acknowledged changes are made exactly once, revisions only grow, and all readers agree`() async throws {
        for seed in 0..<Self.rounds {
            var course = Course(seed: UInt64(seed))
            try await course.run()
        }
    }
}

/// One course of events.
private struct Course {
    /// A command as it was sent.
    struct Command {
        var id: String
        var base: Int?
        var values: [String: JSONValue]
        var isRetained: Bool

        var payload: [UInt8] {
            var fields: [String: JSONValue] = ["id": .string(id), "set": .object(values)]
            fields["base_revision"] = base.map(JSONValue.int)
            return Array(JSONValue.object(fields).json().utf8)
        }
    }

    /// What a controller knows.
    struct Controller {
        var revision = 0
        var values: [String: JSONValue] = [:]
    }

    private static let id: PrinterID = "x1"
    private static let keys = ["name", "serial", "stream_path"]

    private let seed: UInt64
    private var random: SeededGenerator
    private let store = InMemorySettingsStore()
    private var registry: PrinterRegistry
    private var controllers = [Controller(), Controller()]
    /// On the way to the bridge, in the broker's order.
    private var queue: [Command] = []
    /// The last retained command, which is replayed to every new session.
    private var retained: Command?
    /// Configurations on the way to each controller.
    private var reports: [[Controller]] = [[], []]
    private var sent: [String: Command] = [:]
    private var applied: [(revision: Int, command: Command)] = []

    init(seed: UInt64) {
        self.seed = seed
        random = SeededGenerator(seed: seed)
        registry = PrinterRegistry(over: store)
    }

    mutating func run() async throws {
        for _ in 0..<Int.random(in: 5...25, using: &random) {
            switch Int.random(in: 0..<10, using: &random) {
            case 0..<4: send()
            case 4: sendAgain()
            case 5..<8: try await deliver(upTo: Int.random(in: 1...4, using: &random))
            case 8: hear()
            default: try await restart()
            }
        }
        try await deliver(upTo: .max)
        while reports.contains(where: { !$0.isEmpty }) { hear() }
        try await check()
    }

    private mutating func send() {
        let controller = Int.random(in: 0...1, using: &random)
        let values = Self.keys.filter { _ in Bool.random(using: &random) }
            .map { ($0, JSONValue.string("/\(Int.random(in: 0...3, using: &random))")) }
        let command = Command(
            id: "w\(sent.count)",
            base: Bool.random(using: &random) ? controllers[controller].revision : nil,
            values: Dictionary(uniqueKeysWithValues: values),
            isRetained: Int.random(in: 0...3, using: &random) == 0
        )
        sent[command.id] = command
        if command.isRetained { retained = command }
        queue.append(command)
    }

    /// A controller without an answer sends a message again, with the same id.
    private mutating func sendAgain() {
        if let command = sent.values.sorted(by: { $0.id < $1.id }).randomElement(using: &random) {
            queue.append(command)
        }
    }

    /// The bridge takes some messages in at once.
    private mutating func deliver(upTo limit: Int, replays: [Command] = []) async throws {
        let count = min(limit, queue.count)
        let live = queue.prefix(count)
        queue.removeFirst(count)
        let messages =
            live.map {
                ConfigMessage(printer: Self.id, payload: $0.payload, retention: $0.isRetained ? .retained : .none)
            } + replays.map { ConfigMessage(printer: Self.id, payload: $0.payload, retention: .replayed) }
        guard !messages.isEmpty else { return }
        for (outcome, command) in zip(await registry.apply(messages), live + replays) {
            let result = try #require(outcome.result, "seed \(seed)")
            if result.status == .applied, !outcome.isRepeated { applied.append((result.revision, command)) }
        }
        guard let printer = registry[Self.id] else { return }
        for index in reports.indices {
            reports[index].append(
                Controller(revision: printer.committed.revision, values: printer.committed.record?.values ?? [:])
            )
        }
    }

    /// One report reaches each controller.
    private mutating func hear() {
        for index in reports.indices where !reports[index].isEmpty {
            let report = reports[index].removeFirst()
            #expect(report.revision >= controllers[index].revision, "seed \(seed): a revision went back")
            controllers[index] = report
        }
    }

    /// The bridge is killed; another one begins with what is stored, and with the retained command.
    private mutating func restart() async throws {
        registry = PrinterRegistry(over: store)
        try await registry.load()
        // What the broker's session has kept comes first, and then, on subscribing, what is retained.
        try await deliver(upTo: .max, replays: retained.map { [$0] } ?? [])
    }

    private func check() async throws {
        let revisions = applied.map(\.revision)
        #expect(zip(revisions, revisions.dropFirst()).allSatisfy(<), "seed \(seed): \(revisions)")
        #expect(Set(applied.map(\.command.id)).count == applied.count, "seed \(seed): a command was applied twice")
        // What was acknowledged is there, unless a later acknowledged command said otherwise.
        var expected: [String: JSONValue] = [:]
        for (_, command) in applied { expected.merge(command.values) { $1 } }
        let record = store.record("printer/x1")
        #expect(record?.values.filter { $0.key != "applied" } ?? [:] == expected, "seed \(seed)")
        for (index, (revision, command)) in applied.enumerated() where command.base != nil && index > 0 {
            #expect((command.base ?? 0) <= revision - 1, "seed \(seed): a change based on a later state")
        }
        for controller in controllers where record != nil {
            #expect(controller.values == record?.values && controller.revision == record?.revision, "seed \(seed)")
        }
    }
}
