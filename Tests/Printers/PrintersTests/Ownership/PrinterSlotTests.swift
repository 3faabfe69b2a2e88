import Testing

@testable import Printers

@Suite struct PrinterSlotTests {
    @Test("Printers are divided evenly, within 10 %")
    func spread() throws {
        let printers = try (0..<6_000).map { try #require(PrinterID("printer-\($0)")) }
        for (_, some) in Dictionary(grouping: printers, by: PrinterSlot.init(of:)) {
            #expect(abs(some.count - 1_000) < 100)
        }
    }

    @Test("A printer stays in its slot in all versions", arguments: [("p0", 3), ("workshop", 4), ("x1c-2", 2)])
    func stable(name: String, number: Int) { #expect(PrinterSlot(ofName: name).number == number) }

    @Test("The name of a slot is its number", arguments: [("0", 0), ("5", 5), ("6", nil), ("-1", nil), ("x", nil)])
    func names(name: String, number: Int?) { #expect(PrinterSlot(name)?.number == number) }
}
