import JSON
import PrinterReport
import PrinterSamples
import Testing

@testable import Printers

@Suite("How a printer's own MQTT is reached") struct ReportTargetTests {
    private static let serial = "01P00A000000001"

    private func target(_ more: [String: JSONValue], pin: CertificatePin? = nil, authority: String? = nil)
        -> ReportTarget?
    {
        let values: [String: JSONValue] = ["serial": .string(Self.serial), "model": "p1s"]
        var printer = Printer.sample(
            "x1",
            [String: JSONValue].configured.merging(values) { $1 }.merging(more) { $1 }
        )
        printer.camera = CameraRecord(.init(endpoint: "192.0.2.7:322", pin: pin, serial: pin.map { _ in Self.serial }))
        return ReportTarget(printer.committed, camera: printer.camera, rule: PrinterTrust(printerCA: authority))
    }

    @Test(arguments: ["printer_ip", "serial", "access_code"])
    func `A printer's MQTT needs address, serial number and access code`(key: String) {
        #expect(target([:]) != nil)
        #expect(target([key: ""]) == nil)
    }

    @Test func `A printer's MQTT is reached by the proxy that is set, and by no other model's fields`() {
        #expect(target([:])?.host == "192.0.2.7")
        #expect(target(["telemetry_host": "proxy.lan"])?.host == "proxy.lan")
        #expect(target([:])?.port == 8883)
        #expect(target([:])?.family == .p)
        #expect(target(["model": "auto"])?.family == .p)
    }

    @Test func `Trust in a printer's MQTT comes from a person, else only from the maker's authority`() {
        let pin = String(repeating: "5a", count: 32)
        for isProbed in [true, false] {
            let values: [String: JSONValue] = ["probe_enabled": .bool(isProbed)]
            #expect(target(values, pin: .accepted(pin))?.trust == .pinned(sha256: pin))
            #expect(target(values, pin: .firstSeen(pin))?.trust.provesServer == false)
            #expect(target(values, pin: .firstSeen(pin), authority: "/ca")?.trust.provesServer == true)
        }
        #expect(target(["certificate": "any"])?.trust.provesServer == false)
    }
}
