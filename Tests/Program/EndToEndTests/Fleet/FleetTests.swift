import Foundation
import PrinterSimulator
import TestSupport
import Testing

@Suite(
    "Three bridges share printers",
    .endsAll,
    .enabled(if: EtcdCluster.isInstalled, Comment(rawValue: EtcdCluster.advice)),
    .serialized,
    .timeLimit(.minutes(5))
)
struct FleetTests {
    @Test func `One member at a time follows a printer's report, and leaves before the next one comes`() async throws {
        let fleet = try await FleetUnderTest { ($0.isProbed, $0.isFollowed) = (false, true) }
        for index in 0..<2 { try await fleet.start(index) }
        /// Waits until each printer has one client; those that left said goodbye.
        func settled(_ what: String, inOrder: Bool = true) async throws {
            try await eventually("\(what): \(fleet.reports.map(\.counts))\n\(fleet.log)", timeout: .seconds(30)) {
                fleet.reports.map(\.counts).allSatisfy { counts in
                    counts.open == 1 && (!inOrder || counts.connections - counts.disconnects == 1)
                }
            }
        }
        try await fleet.waitForSlots()
        try await settled("two members")
        let before = fleet.reports.map(\.counts.connections).reduce(0, +)
        try await fleet.start(2)
        try await eventually("equal shares") { try await fleet.shares().values.sorted() == [2, 2, 2] }
        try await eventually("its connections") { fleet.reports.map(\.counts.connections).reduce(0, +) > before }
        try await settled("a third member")
        #expect(await fleet.bridge(2)?.stop() == 0)
        try await fleet.waitForShares(2)
        try await settled("it stops")
        await fleet.kill(try await fleet.leader())
        try await fleet.waitForShares(1)
        try await settled("one is killed", inOrder: false)
        // A printer has one place: a member that came too early was refused.
        for number in 0..<6 { #expect(!fleet.said(of: "p\(number)").contains("reason=closed"), "\(fleet.log)") }
        for reports in fleet.reports { await reports.stop() }
    }

    @Test func `A stopping bridge gives its printers away at once; the last one sets the fleet offline`() async throws {
        let (fleet, observer) = try await FleetUnderTest.started { $0.isProbed = false }
        try await observer.wait(for: "printer2mqtt/bridge/availability") { $0 == "online" }
        try await fleet.waitForShares(3)
        let first = try await fleet.leader()
        #expect(await fleet.bridge(first)?.stop() == 0)
        #expect(try await fleet.shares().count == 2, "its lease would end seconds later")
        try await fleet.waitForSlots()
        for index in 0..<3 where index != first {
            #expect(observer.latest["printer2mqtt/bridge/availability"] == "online")
            #expect(await fleet.bridge(index)?.stop() == 0)
        }
        try await observer.wait(for: "printer2mqtt/bridge/availability") { $0 == "offline" }
    }

    @Test func `Two bridges with the name of one member are told, with what to do`() async throws {
        let fleet = try await FleetUnderTest()
        try await fleet.start(0)
        let folder = fleet.memberFile(1).deletingLastPathComponent()
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: folder.path)
        try FileManager.default.copyItem(at: fleet.memberFile(0), to: fleet.memberFile(1))
        try await fleet.start(1)
        try await fleet.bridge(0)?.waitForOutput("remove the file 'member' in its state folder")
    }

    @Test func `A member that would not read the fleet's settings with another key refuses to restart`() async throws {
        let fleet = try await FleetUnderTest { $0.isProbed = false }
        let observer = try await Observer(fleet.broker)
        try await fleet.start(0)
        try await observer.wait(for: "printer2mqtt/bridge/availability") { $0 == "online" }
        try fleet.changeKey(0)
        try await fleet.broker.request("restart", "{}")
        let answer = try await observer.wait(for: "printer2mqtt/bridge/response/restart")
        #expect(answer.contains("store.key is not the key that encrypts the settings"), "\(answer)")
        #expect(fleet.bridge(0)?.isRunning == true)
    }

    @Test func `A thousand printers move at once`() async throws {
        let (fleet, _) = try await FleetUnderTest.started { ($0.printers, $0.isProbed) = (1_000, false) }
        try await fleet.waitForPrinters(3)
        await fleet.kill(0)
        try await fleet.waitForPrinters(2)
    }

    @Test func `The command shows members and printers and copies settings both ways with revisions`() async throws {
        let (fleet, _) = try await FleetUnderTest.started { ($0.printers, $0.isProbed) = (3, false) }
        try await fleet.waitForPrinters(3)
        let members = try await fleet.members()
        #expect(members.count { $0["leader"] as? Bool == true } == 1)
        #expect(try await fleet.command("printer", "set", "p1", "name=Workshop").status == 0)
        let found = try await fleet.command("doctor").output
        #expect(found.contains("3 printers.") && !found.contains("was removed"), "\(found)")
        #expect(fleet.bridge(0)?.output.contains(/printers +p0, p1, p2\n/) == true, "\(fleet.log)")
        let running = try await fleet.command("fleet", "export")
        #expect(running.status == 69 && running.output.contains("stop the bridge first"))
        for index in 0..<3 { await fleet.bridge(index)?.stop() }
        #expect(try await fleet.command("fleet", "export").output.contains("Copied 3 printers"))
        #expect(try await fleet.command("fleet", "export").status == 0, "the same again, as after an interruption")
        #expect(try await fleet.command("printer", "set", "p2", "name=Changed").status == 0)
        for way in ["export", "import"] {
            let refused = try await fleet.command("fleet", way)
            #expect(refused.status == 78 && refused.output.contains("other printers are already"))
        }
        try await fleet.cluster.control("del", "--prefix", "test/")
        #expect(try await fleet.command("fleet", "import").output.contains("Copied 3 printers"))
        let shown = try await fleet.command("printer", "show", "p1", "--json")
        #expect(shown.output.contains("Workshop"))
        #expect(JSONObject(shown.output)["meta.revision"] == "2")
    }

    // The last, when most other suites are over: it measures time.
    @Test func `Within 10 seconds each printer of a killed bridge is served by one other, unnoticed`() async throws {
        let (fleet, observer) = try await FleetUnderTest.started()
        try await fleet.waitUntilHealthy(observer)
        try await observer.wait(for: "printer2mqtt/bridge/availability") { $0 == "online" }
        let found = try await fleet.command("doctor").output
        #expect(found.contains("another bridge of the fleet has it") && !found.contains("was not probed"), "\(found)")
        // The leader, which has the most to hand over.
        await fleet.kill(try await fleet.leader())
        let start = ContinuousClock.now
        for number in 0..<6 {
            try await fleet.broker.request("printer/probe", #"{"id":"r\#(number)","printer":"p\#(number)"}"#)
        }
        try await fleet.rename("K", observer)
        #expect(ContinuousClock.now - start < .seconds(10))
        try await fleet.waitForSlots()
        #expect(try await fleet.shares().count == 2)
        // Longer than the delay of the will.
        try await Task.sleep(for: .seconds(20))
        let messages = observer.messages
        for number in 0..<6 {
            let responses = messages.filter {
                $0.topic == "printer2mqtt/bridge/response/printer/probe" && $0.payload.contains(#""r\#(number)""#)
            }
            #expect(responses.count == 1, "p\(number): \(responses)")
        }
        fleet.expectOneAnswer(to: "K", observer)
        #expect(!messages.contains { $0.topic == "printer2mqtt/bridge/availability" && $0.payload == "offline" })
        #expect(!messages.contains { $0.payload.contains("base_topic_in_use") })
        fleet.expectOneConnection()
    }
}
