import Testing

@testable import Announcements

@Suite("Printers' announcements")
struct PrinterAnnouncementTests {
    /// As an X1 sends it, captured by others and published; serial and address are made up.
    static func notify(serial: String = "00M00A000000001", changes: [String: String?] = [:]) -> [UInt8] {
        let headers: KeyValuePairs = [
            "HOST": "239.255.255.250:1990", "Server": "UPnP/1.0", "Location": "192.168.1.64",
            "NT": "urn:bambulab-com:device:3dprinter:1", "NTS": "ssdp:alive", "USN": serial,
            "Cache-Control": "max-age=1800", "DevModel.bambu.com": "BL-P001", "DevName.bambu.com": "Workshop",
            "DevSignal.bambu.com": "-44", "DevConnect.bambu.com": "lan", "DevBind.bambu.com": "free",
            "Devseclink.bambu.com": "secure", "DevInf.bambu.com": "wlan0", "DevVersion.bambu.com": "01.08.00.00",
            "DevCap.bambu.com": "1",
        ]
        let lines = headers.compactMap { name, value in
            (changes.keys.contains(name) ? changes[name] ?? nil : value).map { "\(name): \($0)\r\n" }
        }
        return Array(("NOTIFY * HTTP/1.1\r\n" + lines.joined() + "\r\n").utf8)
    }

    @Test("A printer's own words are read; its address is where they came from, not what they say")
    func real() throws {
        let announcement = try #require(PrinterAnnouncement(Self.notify(), from: "192.0.2.7"))
        #expect(announcement.serial == "00M00A000000001" && announcement.model == "BL-P001")
        #expect(announcement.address == "192.0.2.7")
        let answer = "HTTP/1.1 200 OK\r\nST: urn:bambulab-com:device:3dprinter:1\r\nUSN: 31B00A000000001\r\n\r\n"
        #expect(PrinterAnnouncement(Array(answer.utf8), from: "192.0.2.8")?.serial == "31B00A000000001")
    }

    @Test("A header that takes quadratic time to compare is refused")
    func combiningMarks() {
        for count in [30, 31] {
            let marks = String(repeating: "\u{301}", count: count)
            let datagram = Self.notify(changes: ["DevName.bambu.com": "a\(marks)"])
            let announcement = PrinterAnnouncement(datagram, from: "192.0.2.7")
            #expect((announcement != nil) == (count == 30))
        }
    }

    @Test("Names in any case, LF line ends and no last line are fine")
    func forms() throws {
        let text = String(decoding: Self.notify(), as: UTF8.self)
        for form in [
            text.replacing("\r\n", with: "\n"), text.replacing("USN:", with: "usn:   "), String(text.dropLast(1)),
            text + "anything after the empty line",
        ] {
            #expect(PrinterAnnouncement(Array(form.utf8), from: "192.0.2.7")?.serial == "00M00A000000001")
        }
    }

    static let refusals: [(String, [UInt8])] = [
        ("nothing", []), ("no text", [0xff, 0xfe]), ("a search", Array("M-SEARCH * HTTP/1.1\r\n\r\n".utf8)),
        ("another service", notify(changes: ["NT": "upnp:rootdevice"])),
        ("a farewell", notify(changes: ["NTS": "ssdp:byebye"])),
        ("no service", notify(changes: ["NT": nil])), ("no serial", notify(changes: ["USN": nil])),
        ("a serial with a path in it", notify(serial: "../../etc/passwd")),
        ("a serial with a topic's wildcard", notify(serial: "00M00A00000+")), ("a short serial", notify(serial: "00M")),
        ("a long serial", notify(serial: String(repeating: "A", count: 33))),
        ("a serial in lower case", notify(serial: "00m00a000000001")),
        ("a control character", notify(changes: ["DevName.bambu.com": "a\u{7}b"])),
        ("a NUL", notify(changes: ["Server": "a\0b"])),
        ("too long", notify(changes: ["Server": String(repeating: "x", count: 2048)])),
        ("a line without a colon", Array("NOTIFY * HTTP/1.1\r\nnonsense\r\n\r\n".utf8)),
        (
            "too many lines",
            Array(("NOTIFY * HTTP/1.1\r\n" + (0..<50).map { "H\($0): x\r\n" }.joined() + "\r\n").utf8)
        ),
    ]

    @Test("Anything else is none", arguments: refusals)
    func refused(_ what: String, _ datagram: [UInt8]) {
        #expect(PrinterAnnouncement(datagram, from: "192.0.2.7") == nil, "\(what)")
    }

    @Test("Of a repeated header the first one counts")
    func repeated() {
        let twice = String(decoding: Self.notify(), as: UTF8.self)
            .replacing("USN:", with: "USN: 00M00A000000002\r\nUSN:")
        #expect(PrinterAnnouncement(Array(twice.utf8), from: "192.0.2.7")?.serial == "00M00A000000002")
    }
}
