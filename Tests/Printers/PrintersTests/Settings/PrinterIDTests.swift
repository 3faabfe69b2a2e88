import Testing

@testable import Printers

@Suite struct PrinterIDTests {
    @Test(arguments: ["x", "x1", "x1-carbon_2", "0", "_", "-", String(repeating: "a", count: 64)])
    func `Names that can stand in a topic`(name: String) {
        #expect(PrinterID(name)?.description == name)
    }

    @Test(arguments: [
        "", "X1", "x 1", "x/1", "+", "#", "$x", "..", ".", "x.1", "drücker", "x\n", "x\0", "bridge", "x\u{301}",
        String(repeating: "a", count: 65),
    ])
    func `Names that could not, or that would mean something else`(name: String) {
        #expect(PrinterID(name) == nil)
    }
}
