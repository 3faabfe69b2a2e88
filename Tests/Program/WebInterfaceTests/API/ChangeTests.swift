import Foundation
import JSON
import PrinterSimulator
import Printers
import StoredSettings
import Synchronization
import TestSupport
import Testing

@testable import Bridge
@testable import WebInterface

@Suite("Changing printers on the page", .endsAll, .timeLimit(.minutes(5)))
struct ChangeTests {
    @Test func `What is wrong with a value is said at its path, and nothing is changed`() async throws {
        let page = try await RunningPage()
        await page.add("x1")
        let browser = try await page.browser()
        let invalid = try await browser.post("/api/printers/x1", #"{"probe_interval": 1, "nam": "a"}"#)
        let paths = (invalid.json["errors"] as? [[String: Any]])?.compactMap { $0["path"] as? String }
        #expect(invalid.status == 422 && paths == ["nam", "probe_interval"])
        #expect(page.registry["x1"]?.committed.revision == 1)
        #expect(try await browser.post("/api/printers/x1", #"{"name": "Shop"}"#).status == 200)
        #expect(page.registry["x1"]?.displayName == "Shop")
        #expect(try await browser.post("/api/printers/new", #"{"name": "Shop"}"#).status == 404)
        #expect(try await browser.post("/api/printers/x1", "[").status == 400)
    }

    @Test func `Requests are those of MQTT, and what they refuse is said`() async throws {
        let (_, browser) = try await RunningPage.visited()
        #expect(try await browser.post("/api/request/printer/add", #"{"printer": "x1"}"#).status == 200)
        #expect(try await browser.post("/api/request/printer/rename", #"{"printer": "x1", "to": "x2"}"#).status == 200)
        let probe = try await browser.post("/api/request/printer/probe", #"{"printer": "x2"}"#)
        #expect(probe.status == 422 && probe.body.contains("is not probed"))
        #expect(try await browser.post("/api/request/printer/fly", "{}").body.contains("unknown_verb"))
    }

    @Test func `A test of settings that are not stored says what is missing, or how far the probe came`() async throws {
        let (page, browser) = try await RunningPage.visited()
        let missing = try await browser.post("/api/test", #"{"settings": {"printer_ip": "127.0.0.1"}}"#)
        #expect(missing.body.contains(#""path":"access_code""#), "\(missing.body)")
        let settings = #"{"printer_ip": "127.0.0.1", "access_code": "12345678", "stream_port": 9, "model": "x1c"}"#
        let closed = try await browser.post("/api/test", #"{"settings": \#(settings)}"#)
        #expect(closed.body.contains(#""failed_stage":"tcp""#) && closed.body.contains("Liveview"), "\(closed.body)")
        #expect(page.registry.ids.isEmpty)
    }

    @Test func `The form offers every model by the name that its maker gives it`() async throws {
        let models = FormChoices.document.objectValue?["models"]?.arrayValue?.compactMap(\.objectValue) ?? []
        #expect(models.count == PrinterModel.allCases.count - 2, "all but auto and other")
        let x2d: [String: JSONValue] = ["id": "x2d", "name": "X2D", "has_liveview": true]
        #expect(models.contains(x2d))
        #expect(models.contains(["id": "a1_mini", "name": "A1 mini", "has_liveview": false]))
        let words = FormChoices.document.objectValue?["words"]?.objectValue ?? [:]
        #expect(words["auto"] == "Automatic" && words["h2d_pro"] == "H2D Pro" && words["pinned"] == "Pinned")
    }

    @Test func `Cameras of other makers are offered with addresses and tested without an access code`() async throws {
        let (_, browser) = try await RunningPage.visited()
        let cameras = try await browser.get("/api/choices").body
        #expect(cameras.contains(#""template":"http://{ip}:3031/video""#) && cameras.contains("Creality K1"))
        let closed = try await browser.post("/api/test", #"{"settings": {"camera_url": "http://127.0.0.1:9/video"}}"#)
        #expect(closed.body.contains("Port 9 is closed") && !closed.body.contains("Liveview"), "\(closed.body)")
        let refused = try await browser.post("/api/test", #"{"settings": {"camera_url": "http://a:canary@b/"}}"#)
        #expect(refused.body.contains("set 'Stream user' and 'Access code'"), "\(refused.body)")
        #expect(!refused.body.contains("canary"), "\(refused.body)")
    }

    @Test func `A test of settings tells each stage when it is complete, and the end of it`() async throws {
        let printer = try await SimulatedPrinter.start(
            SimulatedPrinterConfiguration(serial: "SIM000000000001", accessCode: "12345678")
        )
        let port = try #require(URL(string: "\(printer.url)")?.port)
        let (page, browser) = try await RunningPage.visited()
        let settings =
            #"{"printer_ip": "127.0.0.1", "access_code": "12345678", "stream_port": \#(port), "model": "x1c"}"#
        let answer = try await browser.post("/api/test", #"{"settings": \#(settings)}"#)
        #expect(answer.header("Content-Type") == "text/event-stream", "nothing else goes through ingress at once")
        let events = answer.body.split(whereSeparator: \.isNewline).filter { $0.hasPrefix("data: {") }
        #expect(events.count(where: { $0.hasPrefix(#"data: {"progress""#) }) == 4, "\(answer.body)")
        #expect(events.last?.contains(#""healthy":true"#) == true, "\(answer.body)")
        #expect(page.registry.ids.isEmpty)
        // The test counts as the first probe: the camera itself is gone.
        await printer.stop()
        let added = try await browser.post("/api/request/printer/add", #"{"printer": "x1", "settings": \#(settings)}"#)
        #expect(added.status == 200, "\(added.body)")
        try await eventually("the printer is healthy without another connection") {
            page.registry["x1"]?.stream.status == .healthy
        }
    }

    @Test func `A picture is served as it came, and none is not found`() async throws {
        let page = try await RunningPage()
        await page.add("x1")
        let browser = Browser(port: page.port)
        #expect(try await browser.get("/api/printers/x1/snapshot").status == 404)
        page.snapshots.store(Snapshot(jpeg: Array("picture".utf8), takenAt: .noon), of: PublishedPicture(of: "x1"))
        let answer = try await browser.get("/api/printers/x1/snapshot?at=1")
        #expect(answer.body == "picture" && answer.header("Content-Type") == "image/jpeg")
    }

    @Test func `The doctor, asked twice at once, examines once; what it found stands in the report`() async throws {
        let count = Mutex(0)
        let page = try await RunningPage {
            $0.examine = {
                count.withLock { $0 += 1 }
                // Long enough for the second question to come on a busy machine.
                try await Task.sleep(for: .seconds(5))
                return [["verdict": "warning", "subject": "broker", "message": "It is slow.", "fix": "Wait."]]
            }
        }
        let browser = try await page.browser()
        async let first = browser.post("/api/doctor", "{}")
        async let second = browser.post("/api/doctor", "{}")
        for answer in [try await first, try await second] {
            #expect(answer.status == 200 && answer.body.contains("It is slow."))
        }
        #expect(count.withLock { $0 } == 1)
        #expect(try await browser.get("/api/report").body.contains("doctor: warning broker It is slow."))
    }
}
