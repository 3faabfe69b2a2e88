import Foundation
import TestSupport
import Testing

/// They are apart from ``FleetTests``, so that both run side by side: most of their time is waiting for a lease to end.
@Suite(
    "Three bridges lose leases, or members of etcd",
    .endsAll,
    .enabled(if: EtcdCluster.isInstalled, Comment(rawValue: EtcdCluster.advice)),
    .serialized,
    .timeLimit(.minutes(5))
)
struct FleetOutageTests {
    @Test func `A bridge that loses etcd stops before its lease ends and returns when etcd is back`() async throws {
        let (fleet, observer) = try await FleetUnderTest.started { $0.gated = 2 }
        try await fleet.waitForShares(3)
        fleet.gate?.cut()
        try await fleet.bridge(2)?.waitForOutput("This member has no lease")
        try await fleet.waitForShares(2)
        try await eventually("the third bridge says that it has no lease") {
            observer.messages.contains {
                $0.topic.hasPrefix("printer2mqtt/bridge/members/") && $0.payload.contains(#""no_lease""#)
            }
        }
        try await fleet.rename("Z", observer)
        fleet.gate?.mend()
        try await fleet.waitForShares(3)
        try await Task.sleep(for: .seconds(2))
        fleet.expectOneAnswer(to: "Z", observer)
        fleet.expectOneConnection()
    }

    @Test func `Bridges without a majority of etcd keep probing but refuse changes until it returns`() async throws {
        let (fleet, observer) = try await FleetUnderTest.started()
        try await fleet.waitUntilHealthy(observer)
        await fleet.cluster.kill(0)
        await fleet.cluster.kill(1)
        // Longer than leases and the interval of probes.
        try await Task.sleep(for: .seconds(10))
        let before = observer.messages.count
        try await fleet.broker.set(#"{"id":"q","set":{"name":"Q"}}"#, of: "p0")
        try await observer.wait(for: "printer2mqtt/p0/config/result", "status", is: "error", timeout: .seconds(30))
        try await eventually("the advice") { fleet.said(of: "").contains("a majority of etcd's members") }
        try await eventually("probes go on", timeout: .seconds(40)) {
            Set(observer.messages[before...].map(\.topic).filter { $0.hasSuffix("/stream/checked_at") }).count >= 6
        }
        for index in 0..<3 { #expect(fleet.bridge(index)?.output.contains("This member has no lease") == false) }
        try fleet.cluster.start(0)
        try await fleet.cluster.waitForLeader()
        try await eventually("a change with a majority", timeout: .seconds(30)) {
            try await fleet.broker.set(#"{"id":"\#(UUID().uuidString)","set":{"name":"R"}}"#, of: "p0")
            try await Task.sleep(for: .milliseconds(500))
            return JSONObject(observer.latest["printer2mqtt/p0/config"] ?? "")["name"] == "R"
        }
        fleet.expectOneConnection()
    }

    @Test func `A killed bridge's printers are served in time while the watched etcd member is silent`() async throws {
        let (fleet, observer) = try await FleetUnderTest.started()
        fleet.cluster.signal(0, SIGSTOP)
        try await Task.sleep(for: .seconds(4))
        await fleet.kill(try await fleet.leader())
        try await fleet.rename("W", observer, timeout: .seconds(30))
    }

    @Test func `A bridge that does not know all members of etcd says so`() async throws {
        let fleet = try await FleetUnderTest()
        try await fleet.start(0, environment: ["PRINTER2MQTT_FLEET_ENDPOINTS": fleet.cluster.endpoints[0]])
        try await fleet.bridge(0)?.waitForOutput("voting members differ in number")
    }

    @Test func `A member keeps its lease and printers while etcd is silent in the middle of a handover`() async throws {
        let fleet = try await FleetUnderTest()
        for index in 0..<2 { try await fleet.start(index) }
        try await fleet.waitForSlots()
        try await fleet.start(2)
        for index in 0..<3 { fleet.cluster.signal(index, SIGSTOP) }
        try await Task.sleep(for: .milliseconds(1_500))
        for index in 0..<3 { fleet.cluster.signal(index, SIGCONT) }
        try await fleet.waitForShares(3)
        let observer = try await Observer(fleet.broker)
        try await fleet.rename("N", observer)
        for index in 0..<3 {
            #expect(fleet.bridge(index)?.output.matches(of: /Joined the fleet/).count == 1, "\(fleet.log)")
        }
    }

    @Test func `A leader whose key was removed is no leader any more, or becomes it again`() async throws {
        let (fleet, observer) = try await FleetUnderTest.started()
        try await observer.wait(for: "printer2mqtt/bridge/availability") { $0 == "online" }
        func elections(_ isLeader: Bool) -> Int {
            fleet.said(of: "").components(separatedBy: "share printers: leader=\(isLeader)").count
        }
        let before = elections(true)
        try await fleet.cluster.control("del", "test/fleet/leader")
        try await eventually("another election\n\(fleet.log)") { elections(false) > 1 && elections(true) > before }
    }

    @Test func `A bridge that was stopped for longer than its lease does nothing with its old printers`() async throws {
        let (fleet, observer) = try await FleetUnderTest.started()
        try await fleet.waitForShares(3)
        fleet.bridge(1)?.signal(SIGSTOP)
        try await fleet.waitForShares(2)
        try await fleet.rename("S", observer)
        fleet.bridge(1)?.signal(SIGCONT)
        try await fleet.waitForShares(3)
        try await Task.sleep(for: .seconds(3))
        fleet.expectOneAnswer(to: "S", observer)
        for number in 0..<6 {
            #expect(JSONObject(observer.latest["printer2mqtt/p\(number)/config"] ?? "")["name"] == "S\(number)")
        }
        fleet.expectOneConnection()
    }

    @Test func `The time of day may jump: leases do not go by it`() async throws {
        let clock = try await FakeClock()
        let fleet = try await FleetUnderTest { $0.isProbed = false }
        try await fleet.start(0)
        try await fleet.start(1, environment: clock.environment)
        try await fleet.start(2)
        try await eventually("equal shares") { try await fleet.shares().values.sorted() == [2, 2, 2] }
        let shares = try await fleet.shares()
        for days in [400, -400, 0] {
            try clock.set(days: days)
            try await Task.sleep(for: .seconds(3))
        }
        #expect(try await fleet.shares() == shares)
        #expect(fleet.bridge(1)?.output.contains("This member has no lease") == false)
    }
}
