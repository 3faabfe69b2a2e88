import Foundation
import JSON
import Platform
import PrinterSamples
import PrinterSimulator
import TestSupport
import Testing

@testable import Printers

@Suite("A printer's report", .timeLimit(.minutes(5))) struct ReportServiceTests {
    @Test func `One connection follows the report while telemetry is on, and ends with DISCONNECT`() async throws {
        let bridge = try await ReportingBridge.run { bridge in
            try await eventually("the printer") { bridge.text("config") != nil }
            #expect(bridge.observer.present.keys.filter { $0.contains("/print") } == [])
            try await bridge.set(["telemetry": true])
            try await eventually("the report") { bridge.value("print", "state") == "running" }
            try await eventually("the link") { bridge.value("print/link", "status") == "connected" }
            #expect(bridge.value("print", "layer") == 3)
            #expect(bridge.value("print", "chamber_temperature") == 35)
            #expect(bridge.value("print", "liveview") == "off")
            #expect(bridge.value("print", "started_at") == .null)
            #expect(bridge.value("print", "ends_at")?.stringValue != nil)
            let bare = ["state": "running", "progress": "10", "bed_temperature": "60", "active_tray/type": "PLA"]
            // They arrive after the object.
            for (name, text) in bare { try await eventually("print/\(name)") { bridge.text("print/\(name)") == text } }
            #expect(bridge.text("print/error") == nil)
            try await bridge.set(["telemetry": false])
            try await eventually("its topics are cleared") {
                bridge.observer.present.keys.allSatisfy { !$0.contains("/print") }
            }
            try await eventually("the connection has ended") { bridge.printer.counts.open == 0 }
            try await bridge.set(["telemetry": true])
            try await eventually("the second connection") { bridge.value("print", "state") == "running" }
            // A connection that ends before CONNECT was sent ends without DISCONNECT.
            try await eventually("it is connected") { bridge.value("print/link", "status") == "connected" }
        }
        // The bridge itself has ended both connections.
        #expect(bridge.log.lines.filter { $0.contains("info Report connection") && $0.contains("status=lost") } == [])
        var expected = SimulatedReports.Counts()
        // The whole report is not asked for twice in five minutes.
        (expected.connections, expected.disconnects, expected.reports) = (2, 2, 1)
        #expect(bridge.printer.counts == expected)
    }

    @Test func `A renamed printer keeps its report, and has one connection at a time`() async throws {
        let bridge = try await ReportingBridge.run(adding: ["telemetry": true]) { bridge in
            try await eventually("the report") { bridge.value("print", "state") == "running" }
            for (old, new): (PrinterID, PrinterID) in [("x1", "x2"), ("x2", "x3"), ("x3", "x1")] {
                try await bridge.registry.rename(old, to: new)
                try await eventually("the new name has the report") {
                    let topics = bridge.observer.present.filter { $0.key.contains("/print/") }
                    return topics.keys.allSatisfy { $0.hasPrefix("b/\(new)/") }
                        && topics["b/\(new)/print/state"] == "running"
                        && topics["b/\(new)/print/link"]?.contains("connected") == true
                }
            }
        }
        #expect(bridge.printer.counts.reports == 1 && bridge.printer.counts.disconnects == 4)
    }

    @Test func `A removed printer's report is deleted, also after telemetry was switched off`() async throws {
        try await ReportingBridge.run(adding: ["telemetry": true]) { bridge in
            try await eventually("the report") { bridge.value("print", "state") == "running" }
            try await bridge.set(["telemetry": false])
            try await eventually("the end of the connection") { bridge.printer.counts.open == 0 }
            try await eventually("the report is kept") { bridge.keepsReport }
            #expect(try await bridge.registry.remove("x1"))
            try await eventually("the report is deleted") { !bridge.keepsReport }
        }
    }

    @Test func `A printer's report is published at most once a second and yields the printer's events`() async throws {
        try await ReportingBridge.run(adding: ["telemetry": true]) { bridge in
            try await eventually("the report") { bridge.value("print", "state") == "running" }
            let begin = ContinuousClock.now
            bridge.say(#""gcode_state":"PAUSE","stg_cur":6"#)
            try await eventually("the pause") { !bridge.events.isEmpty }
            for percent in 11...40 {
                bridge.say(#""mc_percent":\#(percent)"#)
                try await Task.sleep(for: .milliseconds(100))
            }
            bridge.say(#""gcode_state":"FINISH""#)
            try await eventually("the end") { bridge.events.contains("print_finished") }
            try await eventually("the state") { bridge.value("print", "state") == "finish" }
            #expect(bridge.events == ["print_paused filament_ran_out", "print_finished"])
            let end = try Date(#require(bridge.value("print", "ends_at")?.stringValue), strategy: .iso8601)
            #expect(end <= Date() + 1, "the remaining time said 90 minutes")
            let published = bridge.observer.all.filter { $0.topic == "b/x1/print/progress" }
            #expect(published.count <= 2 + Int((ContinuousClock.now - begin).seconds.rounded(.up)))
        }
    }

    @Test func `Only a share of thousands of faults is published as events, but each print's end is`() async throws {
        try await ReportingBridge.run(adding: ["telemetry": true]) { bridge in
            try await eventually("the report") { bridge.value("print", "state") == "running" }
            for number in 0..<100 {
                let faults = (0..<64).map { #"{"attr":50331904,"code":\#(0x0002_0000 + number * 64 + $0)}"# }
                bridge.say(#""hms":[\#(faults.joined(separator: ","))]"#)
            }
            bridge.say(#""gcode_state":"FINISH","mc_percent":100,"hms":[]"#)
            try await eventually("the end") { bridge.events.contains("print_finished") }
            let faults = bridge.events.count { $0 == "printer_error" }
            #expect((20...40).contains(faults), "\(faults) events")
        }
    }

    @Test func `When nothing answers for the report any more, the camera is probed at once`() async throws {
        try await ReportingBridge.run(adding: ["telemetry": true]) { bridge in
            var camera = SimulatedPrinterConfiguration(serial: ReportingBridge.serial, accessCode: "canary12")
            camera.certificate = bridge.printer.certificate
            let simulated = try await SimulatedPrinter.start(camera)
            try await bridge.set(["stream_port": .int(simulated.port), "probe_enabled": true])
            try await eventually("the report") { bridge.value("print", "state") == "running" }
            try await eventually("a probe") { bridge.value("stream", "status") == "healthy" }
            let before = bridge.value("stream", "checked_at")
            await bridge.printer.stop()
            try await eventually("another probe", timeout: .seconds(60)) {
                bridge.value("stream", "checked_at") != before
            }
            await simulated.stop()
        }
    }

    @Test func `The report needs a printer of this maker, a serial number, and a proven server`() async throws {
        try await ReportingBridge.run(adding: ["telemetry": true, "serial": ""]) { bridge in
            try await eventually("what is missing") { bridge.value("print/link", "status") == "unconfigured" }
            try await bridge.set(["serial": "00M00A000000043"])
            try await eventually("the other printer") { bridge.value("print/link", "reason") == "other_printer" }
            for other: [String: JSONValue] in [["model": "other"], ["camera_url": "http://127.0.0.1:9/"]] {
                try await bridge.set(["serial": ""].merging(other) { $1 })
                try await eventually("why") { bridge.value("print/link", "reason") == "unsupported" }
                #expect(bridge.value("print/link", "status") == "unconfigured")
                try await bridge.set(["model": "auto", "camera_url": .null])
                try await eventually("what is missing") { bridge.value("print/link", "reason") == .null }
            }
            #expect(bridge.printer.counts == SimulatedReports.Counts())
        }
    }

    @Test func `A printer's report publishes only personal data and secrets that the contract names`() async throws {
        try await ReportingBridge.run(adding: ["telemetry": true]) { bridge in
            try await eventually("the report") { bridge.text("print/job") == "Benchy" }
            let secrets = bridge.observer.all.filter { $0.payload.contains("canary") }.map(\.topic)
            #expect(Set(secrets) == ["b/x1/secret/stream_url"])
            let serials = bridge.observer.all.filter { $0.payload.contains(ReportingBridge.serial) }.map(\.topic)
            #expect(Set(serials) == ["b/x1/config", "h/device/b_x1/config"])
        }
    }
}
