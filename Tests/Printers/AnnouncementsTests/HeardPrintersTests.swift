import PrinterSamples
import Printers
import Testing

@testable import Announcements

@Suite("Printers that are heard")
struct HeardPrintersTests {
    private func announcement(_ serial: String, from address: String = "192.0.2.7") throws -> PrinterAnnouncement {
        try #require(PrinterAnnouncement(PrinterAnnouncementTests.notify(serial: serial), from: address))
    }

    @Test func `Each is listed once, where it was heard last, until it is silent`() throws {
        let heard = HeardPrinters()
        heard.note(try announcement("00M00A000000002"), at: 0)
        heard.note(try announcement("00M00A000000001"), at: 0)
        heard.note(try announcement("00M00A000000001", from: "192.0.2.8"), at: 10)
        #expect(heard.recent(at: 0).map(\.announcement.address) == ["192.0.2.8", "192.0.2.7"])
        #expect(heard.recent(at: HeardPrinters.window).count == 1)
        #expect(heard.recent(at: HeardPrinters.window + 10).isEmpty)
    }

    @Test func `A flood of serial numbers fills no memory, and makes room when it is over`() throws {
        let heard = HeardPrinters()
        for number in 0..<1_500 { heard.note(try announcement("00M00A0\(10_000_000 + number)"), at: 0) }
        #expect(heard.recent(at: 0).count == HeardPrinters.limit)
        heard.note(try announcement("00M00A000000001"), at: HeardPrinters.window)
        #expect(heard.recent(at: HeardPrinters.window).count == 1)
    }
}
