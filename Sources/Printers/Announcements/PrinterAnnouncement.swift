/// A printer's announcement of itself, sent every few seconds to UDP port 2021.
///
/// It is a message of the Simple Service Discovery Protocol (UPnP Device Architecture 2.0, section 1): HTTP's form in a
/// datagram. Nothing about it is authenticated. The address is where the datagram came from: printers have been seen to
/// announce a wrong one.
package struct PrinterAnnouncement: Sendable, Hashable {
    /// The most bytes of a datagram that are read; a longer one is refused.
    static let largest = 2048
    private static let service = "urn:bambulab-com:device:3dprinter:1"

    package let serial: String
    /// The IPv4 or IPv6 address that the datagram came from.
    package let address: String
    /// The vendor's code of the model, such as `BL-P001`; empty if the announcement does not name it.
    package let model: String

    /// Reads a datagram; nil unless it announces a Bambu Lab printer that is switched on.
    ///
    /// Scripts that relay announcements between networks send `ST` in place of `NT`, or `NT` in the answer to a search. P1 and
    /// A1 printers send no `NTS`, so only `ssdp:byebye` is refused.
    init?(_ datagram: some Collection<UInt8>, from address: String) {
        guard let headers = Self.headers(of: datagram), let target = headers["nt"] ?? headers["st"],
            target.lowercased() == Self.service, headers["nts"]?.lowercased() != "ssdp:byebye",
            let serial = headers["usn"].map(Self.device(of:)), (8...32).contains(serial.count),
            // Capital letters and digits, as on the printer's label.
            serial.allSatisfy({ ("0"..."9").contains($0) || ("A"..."Z").contains($0) })
        else { return nil }
        self.serial = String(serial)
        self.address = address
        let model = headers["devmodel.bambu.com"] ?? ""
        self.model = model.utf8.count <= 32 && !model.contains(" ") ? model : ""
    }

    /// The headers of a message in printable ASCII, by their names in lower case; nil for anything but such a message.
    ///
    /// Printers leave out headers, the empty line and even the last line end. A header that is not plain text is ignored; it
    /// does not lose the message. The first of a repeated header counts.
    private static func headers(of datagram: some Collection<UInt8>) -> [String: String]? {
        guard datagram.count <= largest else { return nil }
        let lines = Array(datagram).split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
            .map(trimmed).drop(while: \.isEmpty)
        let words = lines.first?.split(separator: UInt8(ascii: " ")).map { String(decoding: $0, as: UTF8.self) } ?? []
        guard words == ["NOTIFY", "*", "HTTP/1.1"] || words.starts(with: ["HTTP/1.1", "200"]) else { return nil }
        var headers: [String: String] = [:]
        for line in lines.dropFirst() {
            if line.isEmpty { break }
            guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else { continue }
            let (name, value) = (trimmed(line[..<colon]), trimmed(line[(colon + 1)...]))
            guard (name + value).allSatisfy({ (0x20...0x7e).contains($0) }) else { continue }
            let key = String(decoding: name, as: UTF8.self).lowercased()
            headers[key] = headers[key] ?? String(decoding: value, as: UTF8.self)
        }
        return headers
    }

    /// Without blanks, carriage returns and NULs at both ends.
    private static func trimmed(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        let isBlank = { (byte: UInt8) in [0x00, 0x09, 0x0d, 0x20].contains(byte) }
        let end = bytes.lastIndex { !isBlank($0) }.map { $0 + 1 } ?? bytes.startIndex
        return bytes[..<end].drop(while: isBlank)
    }

    /// The device in a UPnP name, `uuid:device::service`; printers send the device alone.
    ///
    /// UPnP Device Architecture 2.0, section 1.1.4.
    private static func device(of name: String) -> Substring.UnicodeScalarView {
        let start = name.lowercased().hasPrefix("uuid:") ? name.dropFirst(5) : name[...]
        let end = start.utf8.firstRange(of: "::".utf8)?.lowerBound ?? start.endIndex
        return start[..<end].unicodeScalars
    }
}
