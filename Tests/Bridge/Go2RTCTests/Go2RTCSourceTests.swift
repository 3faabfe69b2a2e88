import JSON
import PrinterSamples
import Printers
import Secrets
import Testing

@testable import Go2RTC

@Suite("Where go2rtc finds a camera")
struct Go2RTCSourceTests {
    @Test(
        "is its address with the login, over TLS with any certificate, and in clear only where that is allowed",
        arguments: [
            ("rtsps://cam/live", false, "rtspx://me:code@cam:322/live"),
            ("https://cam/v", false, "httpx://me:code@cam:443/v"),
            ("rtsp://cam/live", false, "rtsp://cam:554/live"), ("rtsp://cam/live", true, "rtsp://me:code@cam:554/live"),
            ("http://cam/?action=stream", false, "http://cam:80/?action=stream"),
            ("http://cam/?action=stream", true, "http://me:code@cam:80/?action=stream"),
        ]
    )
    func source(url: String, isAllowed: Bool, expected: String) {
        let values: [String: JSONValue] = [
            "camera_url": .string(url), "stream_user": "me", "access_code": .secret("code"),
            "login_in_clear": .bool(isAllowed),
        ]
        #expect(Printer.sample("x1", values).go2rtcSource == expected)
    }

    @Test("is that of RTSPS cameras of Bambu Lab, and nothing for those on port 6000")
    func printers() {
        #expect(Printer.sample().go2rtcSource == "rtspx://bblp:12345678@192.0.2.7:322/streaming/live/1")
        let pictures = [String: JSONValue].configured.merging(["model": "p1s"]) { $1 }
        #expect(Printer.sample("x1", pictures).go2rtcSource == nil)
    }
}
