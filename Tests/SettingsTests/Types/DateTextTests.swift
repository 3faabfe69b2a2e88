import Foundation
import TestSupport
import Testing

@testable import Settings

@Suite("A date")
struct DateTextTests {
    @Test(
        "is ISO 8601 in UTC, with the fewest digits that mean it",
        arguments: [
            (0.0, "2001-01-01T00:00:00Z"), (0.1, "2001-01-01T00:00:00.1Z"), (-0.1, "2000-12-31T23:59:59.9Z"),
            (-1e-5, "2000-12-31T23:59:59.99999Z"), (789_004_800.125, "2026-01-02T00:00:00.125Z"),
            (-978_307_200, "1970-01-01T00:00:00Z"), (-63_113_904_000, "0001-01-01T00:00:00Z"),
            (-63_145_526_400, "0000-01-01T00:00:00Z"), (-63_145_526_401, "-000001-12-31T23:59:59Z"),
            (252_423_993_600, "+010000-01-01T00:00:00Z"), (5_097_600, "2001-03-01T00:00:00Z"),
            (94_521_600, "2003-12-31T00:00:00Z"), (99_619_200, "2004-02-28T00:00:00Z"),
            (99_705_600, "2004-02-29T00:00:00Z"),
        ]
    )
    func text(seconds: Double, text: String) {
        #expect(DateText.text(of: seconds) == text)
        #expect(DateText.seconds(of: text) == seconds)
    }

    @Test(
        "is understood in any zone",
        arguments: [
            ("2001-01-01T02:00:00+02:00", 0.0), ("2000-12-31T19:00:00-0500", 0), ("2001-01-01t00:00:00z", 0),
            ("2001-01-01 00:00:00,5Z", 0.5), ("2000-12-31T23:59:59.50Z", -0.5),
        ]
    )
    func zones(text: String, seconds: Double) {
        #expect(DateText.seconds(of: text) == seconds)
    }

    @Test(
        "is refused where it is none",
        arguments: [
            "", "2001-01-01", "2001-01-01T00:00:00", "2001-13-01T00:00:00Z", "2001-02-29T00:00:00Z",
            "1900-02-29T00:00:00Z",
            "2001-01-01T24:00:00Z", "2001-01-01T00:60:00Z", "2001-01-01T00:00:60Z", "2001-01-01T00:00:00+24:00",
            "01-01-01T00:00:00Z", " 2001-01-01T00:00:00Z", "2001-01-01T00:00:00.Z", "２００１-01-01T00:00:00Z",
        ]
    )
    func refused(text: String) {
        #expect(DateText.seconds(of: text) == nil)
    }

    @Test("comes back to the last bit, whatever it is")
    func everyDouble() throws {
        var random = SeededGenerator(seed: 1)
        for turn in 0..<20_000 {
            let scale = pow(10, Double(turn % 20) - 4)
            let seconds = Double.random(in: -scale...scale, using: &random)
            let date = Date(timeIntervalSinceReferenceDate: seconds)
            try #require(Date(stored: date.stored) == date, "\(seconds) as \(date.stored)")
        }
    }

    @Test("is the one that the calendar of Foundation knows")
    func calendar() throws {
        let formatter = ISO8601DateFormatter()
        var random = SeededGenerator(seed: 2)
        for _ in 0..<2_000 {
            // From 1600 on: before, Foundation's calendar is the Julian one.
            let seconds = Double.random(in: -1.26e10...2e11, using: &random).rounded()
            let date = Date(timeIntervalSinceReferenceDate: seconds)
            try #require(date.stored == .string(formatter.string(from: date)))
        }
    }
}
