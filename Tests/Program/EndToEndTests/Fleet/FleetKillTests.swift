import Foundation
import PrinterSimulator
import TestSupport
import Testing

private let isSoak = ProcessInfo.processInfo.environment["SOAK"] == "1"

@Suite(
    "Bridges and members of etcd are killed at random while controllers go on",
    .endsAll,
    .enabled(if: EtcdCluster.isInstalled, Comment(rawValue: EtcdCluster.advice)),
    .timeLimit(.minutes(isSoak ? 30 : 5))
)
struct FleetKillTests {
    /// With `SOAK=1` it takes ten minutes.
    private static let rounds = isSoak ? 100 : 4
    private static let commands = 40

    @Test func `Each acknowledged command applies once, revisions only grow and probes never overlap`() async throws {
        let seed = UInt64.random(in: 0...UInt64.max)
        var generator = SeededGenerator(seed: seed)
        let fleet = try await FleetUnderTest()
        try await fleet.start()
        let configs = try await Observer(fleet.broker, topic: "printer2mqtt/+/config")
        let results = try await Observer(fleet.broker, topic: "printer2mqtt/+/config/result")
        let directory = try TemporaryDirectory()
        var count = 0
        var history: [String] = []
        for round in 0..<Self.rounds {
            let numbers = (count + 1)...(count + Self.commands)
            count = numbers.upperBound
            let controllers = try (0..<fleet.options.printers).map { printer in
                let log = directory.file("\(round)-\(printer)")
                return try fleet.broker.startController("name", numbers, of: "p\(printer)", log: log)
            }
            try await Task.sleep(for: .milliseconds(.random(in: 5...800, using: &generator)))
            let victims = Victims.random(using: &generator)
            history.append("\(round): \(victims)")
            for index in victims.bridges { await fleet.kill(index) }
            if let member = victims.member { await fleet.cluster.kill(member) }
            for controller in controllers {
                #expect(await controller.exitStatus() == 0, "the broker acknowledged all commands")
            }
            // Shorter and longer than a lease.
            try await Task.sleep(for: .milliseconds(.random(in: 0...7_000, using: &generator)))
            if let member = victims.member {
                try fleet.cluster.start(member)
                try await fleet.cluster.waitForMember(member)
            }
            for index in victims.bridges { try await fleet.start(index) }
        }
        let log = "seed \(seed)\n\(history.joined(separator: "\n"))\n"
        for printer in 0..<fleet.options.printers {
            let topic = "printer2mqtt/p\(printer)/config"
            do {
                let last = try await configs.wait(for: topic, "name", is: "\(count)", timeout: .seconds(120))
                // One for the configuration file.
                #expect(
                    last["meta.revision"] == "\(count + 1)",
                    "\(topic): each command was applied once\n\(log)\(fleet.said(of: "p\(printer)"))"
                )
            } catch {
                throw TestFailure("\(error)\n\(log)\n\(fleet.said(of: "p\(printer)"))")
            }
            let revisions = configs.messages.filter { $0.topic == topic }
                .compactMap { JSONObject($0.payload)["meta.revision"].flatMap { Int($0) } }
            #expect(zip(revisions, revisions.dropFirst()).allSatisfy { $0 <= $1 }, "\(topic): \(revisions)\n\(log)")
        }
        let refused = results.messages.filter { JSONObject($0.payload)["status"] != "applied" }
        #expect(refused.isEmpty, "\(log)")
        fleet.expectOneConnection("\(log)")
    }
}

/// Who is killed in one round: a bridge is left, and a majority of etcd.
private struct Victims: CustomStringConvertible {
    var bridges: [Int]
    var member: Int?

    static func random(using generator: inout some RandomNumberGenerator) -> Victims {
        let bridges = Array([0, 1, 2].shuffled(using: &generator).prefix(.random(in: 0...2, using: &generator)))
        let takesMember = bridges.isEmpty || Int.random(in: 0..<3, using: &generator) == 0
        return Victims(bridges: bridges, member: takesMember ? .random(in: 0..<3, using: &generator) : nil)
    }

    var description: String { "bridges \(bridges), member of etcd \(member.map { "\($0)" } ?? "none")" }
}
