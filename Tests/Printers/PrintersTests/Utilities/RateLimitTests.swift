import Platform
import Testing

@Suite struct RateLimitTests {
    @Test func `A bucket of tokens fills up again, and no further`() {
        var limit = RateLimit(burst: 3, perSecond: 2)
        let rows: [(Double, [Bool])] = [
            (10, [true, true, true, false, false]), (11, [true, true, false]), (1000, [true, true, true, false]),
            // A clock that goes back gives nothing.
            (0, [false]),
        ]
        for (time, expected) in rows {
            let allowed = expected.map { _ in limit.allows(at: time) }
            #expect(allowed == expected, "at \(time)")
        }
    }
}
