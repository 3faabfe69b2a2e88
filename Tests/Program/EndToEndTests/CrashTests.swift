import Foundation
import TestSupport
import Testing

@Suite("Crashes")
struct CrashTests {
    @Test("Killed at any moment, 200 times: what was reported is there again, and no revision goes back")
    func killed() async throws {
        let broker = try await MosquittoBroker.start()
        let observer = try await Observer(port: broker.port, topic: "printer2mqtt/x1/config")
        let program = try BridgeProgram(broker: broker.port, "homeassistant: {enabled: false}")
        var generator = SystemRandomNumberGenerator()
        var reported = 0
        var serial = "none"
        for round in 1...200 {
            let bridge = try program.run()
            try await publish(
                #"{"id":"r\#(round)","set":{"serial":"S\#(round)","printer_ip":"127.0.0.1"}}"#,
                to: "printer2mqtt/x1/config/set",
                port: broker.port,
                retain: true
            )
            // Anywhere from before the connection to after the answer.
            try await Task.sleep(for: .milliseconds(Int.random(in: 0...900, using: &generator)))
            bridge.signal(SIGKILL)
            _ = await bridge.exitStatus()

            for message in observer.messages where !message.payload.isEmpty {
                let config = JSONObject(message.payload)
                let revision = Int(config["meta.revision"] ?? "") ?? -1
                #expect(revision >= 0)
                if revision > reported { (reported, serial) = (revision, config["serial"] ?? "") }
            }
            guard reported > 0 else { continue }
            let shown = try await program.command("printer", "show", "x1", "--json")
            let stored = JSONObject(shown.output)
            let revision = try #require(Int(stored["meta.revision"] ?? ""), "round \(round): \(shown.output)")
            #expect(revision >= reported)
            if revision == reported { #expect(stored["serial"] == serial) }
        }
        let revisions = observer.messages.compactMap { Int(JSONObject($0.payload)["meta.revision"] ?? "") }
        #expect(zip(revisions, revisions.dropFirst()).allSatisfy(<=), "a revision went back")
        // Each command was applied at most once: a replay after a crash is known by its id.
        #expect((revisions.max() ?? 0) <= 201)
        #expect(reported > 20, "the bridge never got far enough to show anything")
    }

    @Test("Told to stop at any moment, it says offline and ends well")
    func stopped() async throws {
        let broker = try await MosquittoBroker.start()
        let observer = try await Observer(port: broker.port, topic: "printer2mqtt/bridge/availability")
        let program = try BridgeProgram(broker: broker.port)
        for round in 1...20 {
            let bridge = try program.run(["--demo"])
            // From the moment on at which it listens to signals.
            try await bridge.waitForOutput("printer add")
            try await Task.sleep(for: .milliseconds(Int.random(in: 50...500)))
            #expect(await bridge.stop(round.isMultiple(of: 2) ? SIGTERM : SIGINT) == 0, "\(bridge.output)")
            #expect(observer.latest["printer2mqtt/bridge/availability"] != "online")
        }
    }
}
