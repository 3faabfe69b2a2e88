import Testing

@testable import Bridge
@testable import PrinterReport

@Suite("The limit of a printer's events") struct EventLimitTests {
    /// Passes `count` events of a kind each second; returns how many are published, and how many warnings there are.
    private func pass(
        _ kind: PrintEvent.Kind,
        _ count: Int,
        for seconds: Int,
        through limit: inout EventLimit
    ) -> (published: Int, dropped: Int, warnings: Int) {
        var sum = (published: 0, dropped: 0, warnings: 0)
        for second in 0..<seconds {
            var events = Array(repeating: PrintEvent(kind: kind), count: count)
            let (dropped, isWarning) = limit.limit(&events, at: Double(second))
            sum.published += events.count
            sum.dropped += dropped
            sum.warnings += isWarning ? 1 : 0
        }
        return sum
    }

    @Test func `The limit counts the events that it drops, and warns once an hour`() {
        var limit = EventLimit()
        let sum = pass(.printerError, 4_500, for: 13, through: &limit)
        #expect(sum.published == 26 && sum.dropped == 4_500 * 13 - 26 && sum.warnings == 1)
        #expect(pass(.printerError, 2, for: 7_201, through: &limit).warnings == 2)
    }

    @Test(arguments: PrintEvent.Kind.allCases)
    func `The limit leaves prints a share that faults and filaments do not use up`(kind: PrintEvent.Kind) {
        var limit = EventLimit()
        for flood in [PrintEvent.Kind.printerError, .commandRefused, .filamentChanged] {
            _ = pass(flood, 100, for: 1, through: &limit)
        }
        let isFlood = [.printerError, .commandRefused, .filamentChanged].contains(kind)
        #expect(pass(kind, 20, for: 1, through: &limit).published == (isFlood ? 0 : 20))
    }
}
