import Foundation
import StoredSettings
import Synchronization
import TestSupport
import Testing

@testable import WebInterface

@Suite("The doctor on the page", .endsAll, .timeLimit(.minutes(5)))
struct DoctorTests {
    private static let findings: [JSONValue] = [
        ["verdict": "warning", "subject": "broker", "message": "It is slow.", "fix": "Wait."]
    ]

    @Test func `Asked twice at once, it examines once; what it found stands in the report`() async throws {
        let count = Mutex(0)
        let page = try await RunningPage {
            $0.examine = {
                count.withLock { $0 += 1 }
                // Long enough for the second question to come on a busy machine.
                try await Task.sleep(for: .seconds(5))
                return Self.findings
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
