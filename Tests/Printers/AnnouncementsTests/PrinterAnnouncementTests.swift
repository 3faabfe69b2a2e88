import Printers
import Testing

@testable import Announcements
@testable import PrinterSimulator

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

    static let serial = "0309DA000000001"
    /// What an A1 mini sends, with LF for CRLF.
    static let minimal = """
        NOTIFY * HTTP/1.1
        HOST: 239.255.255.250:1900
        Server: UPnP/1.0
        Location: 192.168.1.64
        NT: urn:bambulab-com:device:3dprinter:1
        USN: 0309DA000000001
        DevModel.bambu.com: N1
        """

    static let forms: [(what: String, datagram: [UInt8])] = {
        let x1 = String(decoding: notify(serial: serial, changes: ["DevModel.bambu.com": "N1"]), as: UTF8.self)
        let a1 = minimal.replacing("\n", with: "\r\n")
        let texts = [
            ("all headers of an X1", x1),
            ("a P1 or A1: no NTS, and no empty line", a1 + "\r\n"),
            ("no line end at the end", a1),
            ("half a line end at the end", a1 + "\r"),
            ("an empty line at the end", a1 + "\r\n\r\n"),
            ("an empty line before the first line", "\r\n" + a1),
            ("LF line ends", x1.replacing("\r\n", with: "\n")),
            ("a NUL at the end", a1 + "\0"),
            ("names in another case", a1.replacing("USN:", with: "usn:").replacing("NT:", with: "nt:")),
            ("blanks around a name", a1.replacing("USN: ", with: "USN \t:   ")),
            ("blanks after a value", a1.replacing("01\r", with: "01 \t\r")),
            ("no blank after the colon", a1.replacing(": ", with: ":")),
            ("an empty header", a1.replacing("UPnP/1.0", with: "")),
            (
                "a relay's name of UPnP",
                a1.replacing("USN: \(serial)", with: "USN: uuid:\(serial)::urn:bambulab-com:device:3dprinter:1")
            ),
            ("a name of UPnP without a service", a1.replacing("USN: ", with: "USN: UUID:")),
            ("a relay's ST in place of NT", a1.replacing("NT: ", with: "ST: ")),
            ("a search's answer with NT", a1.replacing("NOTIFY * HTTP/1.1", with: "HTTP/1.1 200 OK")),
            ("a header twice: the first one counts", a1 + "\r\nUSN: 00M00A000000002"),
            ("an update", a1 + "\r\nNTS: ssdp:update\r\n\r\n"),
            ("a line without a colon", a1 + "\r\nnonsense\r\n"),
            ("anything after the empty line", a1 + "\r\n\r\n\u{1}anything"),
            ("many lines", a1 + String(repeating: "\r\nX: y", count: 100)),
            ("a name in Chinese", a1 + "\r\nDevName.bambu.com: 打印机\r\n\r\n"),
            ("a name with a control character", a1 + "\r\nDevName.bambu.com: a\u{7}b\r\n\r\n"),
            ("a name with 800 accents", a1 + "\r\nDevName.bambu.com: a" + String(repeating: "\u{301}", count: 800)),
        ]
        let noUTF8 = Array((a1 + "\r\nDevName.bambu.com: ").utf8) + [0xc4, 0xe3, 0xff]
        return texts.map { ($0, Array($1.utf8)) } + [("a name that is no UTF-8", noUTF8)]
    }()

    @Test(arguments: forms)
    func `An announcement may lack and hold what printers leave out and add`(_ what: String, _ datagram: [UInt8]) {
        let announcement = PrinterAnnouncement(datagram, from: "192.0.2.7")
        #expect(announcement?.serial == Self.serial && announcement?.printerModel == .a1Mini, "\(what)")
    }

    @Test(arguments: SimulatedModel.allCases)
    func `A simulated printer announces itself as its model does`(model: SimulatedModel) {
        let said = SimulatedAnnouncement(model: model, serial: model.serial(7), host: "127.0.0.7").text
        let announcement = PrinterAnnouncement(Array(said.utf8), from: "127.0.0.7")
        #expect(announcement?.serial == model.serial(7))
        #expect(announcement?.printerModel?.rawValue == model.rawValue)
        #expect(said.contains("NTS:") == (model.camera == .rtsps))
    }

    static let refusals: [(String, [UInt8])] = [
        ("nothing", []), ("no text", [0xff, 0xfe]), ("a search", Array("M-SEARCH * HTTP/1.1\r\n\r\n".utf8)),
        ("another service", notify(changes: ["NT": "upnp:rootdevice"])),
        ("a farewell", notify(changes: ["NTS": "ssdp:byebye"])),
        ("a farewell in capitals", notify(changes: ["NTS": "SSDP:BYEBYE"])),
        ("an answer that is an error", Array("HTTP/1.1 404 Not Found\r\n\r\n".utf8)),
        ("no service", notify(changes: ["NT": nil])), ("no serial", notify(changes: ["USN": nil])),
        ("a serial with a path in it", notify(serial: "../../etc/passwd")),
        ("a serial with a topic's wildcard", notify(serial: "00M00A00000+")), ("a short serial", notify(serial: "00M")),
        ("a long serial", notify(serial: String(repeating: "A", count: 33))),
        ("a name of UPnP without a device", notify(serial: "uuid:::urn:bambulab-com:device:3dprinter:1")),
        ("a serial in lower case", notify(serial: "00m00a000000001")),
        ("a serial with a control character", notify(serial: "00M00A0\u{7}0000001")),
        ("a serial with a NUL", notify(serial: "00M00A0\0000000001")),
        ("a serial in Arabic digits", notify(serial: "٠٠١٢٣٤٥٦٧٨٩")),
        ("too long", notify(changes: ["Server": String(repeating: "x", count: 2048)])),
    ]

    @Test(arguments: refusals)
    func `Anything else is none`(_ what: String, _ datagram: [UInt8]) {
        #expect(PrinterAnnouncement(datagram, from: "192.0.2.7") == nil, "\(what)")
    }
}
