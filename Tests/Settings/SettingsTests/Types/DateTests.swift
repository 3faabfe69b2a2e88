import Foundation
import JSON
import StoredSettings
import TestSupport
import Testing

@Suite("A date")
struct DateTests {
    @Test(
        arguments: [
            (0.0, "2001-01-01T00:00:00Z"), (0.125, "2001-01-01T00:00:00.125Z"), (-0.5, "2000-12-31T23:59:59.500Z"),
            (789_004_800.000001, "2026-01-02T00:00:00.000001Z"), (99_705_600, "2004-02-29T00:00:00Z"),
            (-12_654_403_200, "1600-01-01T00:00:00Z"), (-12_654_403_201, .double(-12_654_403_201)),
            (252_423_993_599, "9999-12-31T23:59:59Z"), (252_423_993_600, .double(252_423_993_600)),
            (1e12, .double(1e12)), (-.infinity, .double(-.infinity)),
        ] as [(Double, JSONValue)]
    )
    func `A date is ISO 8601 in UTC, and a number where a year has no four digits`(seconds: Double, stored: JSONValue) {
        let date = Date(timeIntervalSinceReferenceDate: seconds)
        #expect(date.stored == stored)
        #expect(Date(stored: stored) == date)
    }

    @Test(arguments: [
        ("2001-01-01T02:00:00+02:00", 0.0), ("2001-01-01t00:00:00z", 0), ("2000-12-31T23:59:59.50Z", -0.5),
    ])
    func `A date is understood in any zone`(text: String, seconds: Double) {
        #expect(Date(stored: .string(text)) == Date(timeIntervalSinceReferenceDate: seconds))
    }

    @Test func `A date comes back to the last bit, whatever it is`() throws {
        var random = SeededGenerator(seed: 1)
        for turn in 0..<2_000 {
            let scale = pow(10, Double(turn % 20) - 4)
            let date = Date(timeIntervalSinceReferenceDate: Double.random(in: -scale...scale, using: &random))
            try #require(Date(stored: date.stored) == date, "\(date.timeIntervalSinceReferenceDate): \(date.stored)")
        }
    }
}
