import PrinterSamples
import Testing

@testable import Printers

@Suite struct ConfigStormTests {
    /// Attempts at a steady rate, and whether the last one was refused.
    private func refused(_ perSecond: Int, for seconds: Int, limit: Int) -> Bool {
        var breaker = ConfigStorm(limit: limit)
        var isRefused = false
        for attempt in 0..<(perSecond * seconds) {
            let now = Double(attempt) / Double(perSecond)
            isRefused = breaker.refuses(at: now)
            breaker.attempt(at: now)
        }
        return isRefused
    }

    @Test(arguments: [
        (25, 12, 20, true), (25, 9, 20, false), (20, 60, 20, false), (19, 60, 20, false), (1_000, 11, 20, true),
        (1_000, 11, 0, false), (2, 13, 1, true),
    ])
    func `More changes a second than the limit, for ten seconds, is a storm`(
        perSecond: Int,
        seconds: Int,
        limit: Int,
        isStorm: Bool
    ) {
        #expect(refused(perSecond, for: seconds, limit: limit) == isStorm)
    }

    @Test func `A storm ends with a quiet second, and not before`() {
        var breaker = Self.storming()
        #expect(breaker.refuses(at: 12.5))
        breaker.attempt(at: 12.5)
        #expect(breaker.refuses(at: 13.4))
        #expect(!breaker.refuses(at: 13.5))
        breaker.attempt(at: 13.5)
        #expect(!breaker.refuses(at: 13.6), "the count begins anew")
    }

    @Test func `Ten busy seconds with a pause between them are no storm`() {
        var breaker = ConfigStorm(limit: 20)
        for round in 0..<4 {
            for attempt in 0..<200 { breaker.attempt(at: Double(round) * 12 + Double(attempt) / 25) }
        }
        #expect(!breaker.refuses(at: 44.1))
    }

    @Test func `A clock that is set back does not prolong a storm`() {
        let breaker = Self.storming()
        #expect(!breaker.refuses(at: -3_600))
    }

    /// One that refuses, after its last attempt at 12 s.
    private static func storming() -> ConfigStorm {
        var breaker = ConfigStorm(limit: 20)
        for attempt in 0...300 { breaker.attempt(at: Double(attempt) / 25) }
        return breaker
    }
}
