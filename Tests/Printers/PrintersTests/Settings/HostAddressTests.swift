import CameraProtocols
import PrinterSamples
import StoredSettings
import Testing

@testable import Printers

@Suite struct HostAddressTests {
    @Test(arguments: [
        ("192.0.2.7", "192.0.2.7"), ("::1", "[::1]"), ("::ffff:192.0.2.7", "[::ffff:192.0.2.7]"),
        ("2001:db8::7", "[2001:db8::7]"), ("printer", "printer"),
        ("x1-carbon.local", "x1-carbon.local"), ("my_printer.lan", "my_printer.lan"), ("PRINTER", "PRINTER"),
        ("3d-printer.example.org", "3d-printer.example.org"), ("1a.2b", "1a.2b"), ("0x7f.lan", "0x7f.lan"),
        ("0xy", "0xy"), ("1.2.3.4.lan", "1.2.3.4.lan"),
    ])
    func `Addresses and host names are accepted, and each makes a URL`(address: String, inURL: String) throws {
        #expect(HostAddress.fault(in: address) == nil)
        let configuration = PrinterSettings.Snapshot.configured(["printer_ip": .string(address)])
        let url = try #require(configuration.streamURL)
        #expect(url.withoutUserInfo == "rtsps://\(inURL):322/streaming/live/1")
    }

    @Test(arguments: [
        ("rtsps://192.0.2.7", "scheme"), ("192.0.2.7/live", "path"), ("192.0.2.7:322", "port"),
        ("[::1]", "brackets"),
        ("printer:322", "port"), ("192.0.2.256", "IPv4"), ("192.0.2", "IPv4"), ("1.2.3.4.5", "IPv4"),
        ("1234", "IPv4"), ("0x7f.1", "IPv4"), ("127.0x1", "IPv4"), ("0X7F000001", "IPv4"), ("printer.1", "IPv4"),
        ("fe80::1%eth0", "zone"), ("fe80::1", "link-local"), ("FEBF::1", "link-local"), ("printer%eth0", "zone"),
        (" 192.0.2.7", "must be"), ("192.0.2.7 ", "must be"), ("my printer", "must be"), ("-x", "must be"),
        ("x-", "must be"), ("a..b", "must be"), (".", "dot"), ("printer.lan.", "dot"), ("0.0.0.0", "one machine"),
        ("255.255.255.255", "one machine"),
        ("224.0.0.1", "one machine"), ("::", "one machine"), ("ff02::1", "one machine"),
        ("::ffff:224.0.0.1", "one machine"), ("::ffff:0.0.0.0", "one machine"), ("drücker", "U+00FC"),
        ("x\ny", "control"),
        ("192.0.2.7\0.example.org", "control"), ("::1\0", "control"), ("user@host", "must be"),
        (String(repeating: "a", count: 64), "must be"),
    ])
    func `What is no address is refused, and the reason helps`(address: String, word: String) throws {
        let fault = try #require(HostAddress.fault(in: address))
        #expect(fault.contains(word))
    }

    @Test func `An address is at most 253 characters`() throws {
        let name = Array(repeating: String(repeating: "a", count: 49), count: 5).joined(separator: ".")
        let address = try #require(PrinterSettings.schema["printer_ip"])
        #expect(throws: Never.self) { try address.validate(.string(name + ".abc")).get() }
        #expect(throws: ValidationError.self) { try address.validate(.string(name + ".abcde")).get() }
    }
}
