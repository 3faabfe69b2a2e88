import Bridge
import Testing

@testable import printer2mqtt

@Suite("The lines to paste")
struct BannerTests {
    private func banner(printers: [String] = [], on installation: Installation = .plain) -> String {
        var banner = Banner(topics: Topics(), broker: .tcp(host: "nas", port: 1_883), installation: installation)
        banner.printers = printers.compactMap { PrinterID($0) }
        return banner.description
    }

    @Test func `The lines to paste need no other program, and work on the installation`() {
        let text = banner(on: .service(program: "sudo printer2mqtt"))
        #expect(text.contains("sudo printer2mqtt topics --follow") && !text.contains("mosquitto"))
        #expect(text.contains("sudo printer2mqtt printer add x1c"))
    }

    @Test(arguments: [([], "x1c"), (["demo"], "x1c"), (["x1c"], "x1c_2"), (["a1", "x1c", "x1c_2", "x1c_4"], "x1c_3")])
    func `The lines to paste add a printer, and never name one that is there`(printers: [String], added: String) {
        #expect(banner(printers: printers).contains("printer add \(added) --printer-ip"))
    }
}
