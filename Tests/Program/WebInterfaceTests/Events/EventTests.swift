import Foundation
import JSON
import NIOCore
import TestSupport
import Testing

@testable import Bridge
@testable import WebInterface

@Suite("What a page is told live", .endsAll, .timeLimit(.minutes(5)))
struct EventTests {
    @Test func `A page gets every printer once, then only changed printers, pictures and removals`() async throws {
        let page = try await RunningPage()
        for id in ["a", "b"] as [PrinterID] { await page.add(id) }
        let browser = Browser(port: page.port)
        let events = try await browser.exchange("GET /api/events HTTP/1.1\r\nHost: \(browser.host)\r\n\r\n") { text in
            let isFirst = text.contains(#""id":"b""#) && !text.contains("Shop")
            if isFirst { Task { await page.add("b", ["name": "Shop"]) } }
            if text.contains("Shop"), !text.contains("2026-09-21") {
                page.snapshots.store(Snapshot(jpeg: [1], takenAt: .noon), of: PublishedPicture(of: "a"))
            }
            if text.contains("2026-09-21") { Task { _ = try await page.registry.remove("a") } }
            return text.contains("event: removed")
        }
        await page.stop()
        let data = events.components(separatedBy: "data: ").dropFirst().map { $0.prefix { $0 != "\n" } }
        let printers = data.filter { $0.hasPrefix("[{") }
        #expect(printers.first?.contains(#""id":"a""#) == true && printers.first?.contains(#""id":"b""#) == true)
        #expect(printers.dropFirst().allSatisfy { $0.components(separatedBy: #""id":"#).count == 2 })
        #expect(data.contains { $0 == #"["a"]"# })
    }

    @Test func `Open pages leave connections for others; a page too many is refused until one closes`() async throws {
        let page = try await RunningPage()
        let browser = Browser(port: page.port)
        let request = "GET /api/events HTTP/1.1\r\nHost: \(browser.host)\r\n\r\n"
        func isRefused() async throws -> Bool {
            try await browser.exchange(request) { $0.contains("\r\n\r\n") }.hasPrefix("HTTP/1.1 503")
        }
        var pages: [any Channel] = []
        for _ in 0..<ConnectionLimits.eventStreams {
            pages.append(try await page.client(request))
        }
        while try await !isRefused() { try await Task.sleep(for: .milliseconds(10)) }
        #expect(try await browser.get("/metrics").text.contains("\nprinter2mqtt_broker_connected 0\n"))
        for channel in pages { try await channel.close() }
        while try await isRefused() { try await Task.sleep(for: .milliseconds(10)) }
    }

    @Test func `A page names the relay by the host that its browser used`() async throws {
        let page = try await RunningPage(viewers: ViewerAddresses(relay: .port(9_554)))
        let settings: [String: JSONValue] = ["access_code": "12345678", "stream_port": 9, "probe_enabled": true]
        await page.add("x1", settings.merging(["printer_ip": "127.0.0.1", "model": "x1c"]) { $1 })
        let request = "GET /api/events HTTP/1.1\r\nHost: localhost:\(page.port)\r\n\r\n"
        let events = try await Browser(port: page.port).exchange(request) { $0.contains("viewer_url") }
        #expect(events.contains(#""viewer_url":"rtsp://localhost:9554/x1""#), "\(events)")
    }

    @Test func `News about the bridge is told once, as is that a page has to forget the printers that it showed`() {
        var sent = SentEvents()
        let states: [JSONValue] = [["connected": true], ["connected": true], ["connected": false]]
        let events = states.map { sent.events(for: $0) }
        #expect(events.map(\.count) == [1, 0, 1])
        #expect(events.first == ["event: bridge\ndata: {\"connected\":true}\n\n"])
        let printers = (0..<2).map { _ in sent.events(for: [], removed: []) }
        #expect(printers == [["event: printers\ndata: []\n\n"], []])
    }

    @Test func `Many printers are told in parts`() {
        var sent = SentEvents()
        let cards = (0..<250).map { PrinterCard(printer: .sample(PrinterID("p\($0)") ?? "p")) }
        let events = sent.events(for: cards, removed: [])
        #expect(events.count == 3)
        #expect(sent.changedPictures { _ in KeptPictures() }.isEmpty)
    }
}
