import Testing

@testable import Printers

@Suite struct PrinterSlotTests {
    @Test func `Printers are divided evenly, within 10 %`() throws {
        let printers = try (0..<6_000).map { try #require(PrinterID("printer-\($0)")) }
        for (_, some) in Dictionary(grouping: printers, by: PrinterSlot.init(of:)) {
            #expect(abs(some.count - 1_000) < 100)
        }
    }

    @Test(arguments: [("p0", 3), ("workshop", 4), ("x1c-2", 2)])
    func `A printer stays in its slot in all versions`(name: String, number: Int) {
        #expect(PrinterSlot(ofName: name).number == number)
    }
}
