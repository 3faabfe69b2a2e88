/// A printer's announcement of itself, sent every few seconds to UDP port 2021.
///
/// Nothing about it is authenticated. The address is where the datagram came from: printers have been seen to
/// announce a wrong one.
package struct PrinterAnnouncement: Sendable, Hashable {
    static let service = "urn:bambulab-com:device:3dprinter:1"

    package let serial: String
    /// The IPv4 or IPv6 address that the datagram came from.
    package let address: String
    /// The vendor's code of the model, such as `BL-P001`; empty if the announcement does not name it.
    package let model: String

    /// Reads a datagram; nil unless it announces a Bambu Lab printer that is switched on.
    ///
    /// P1 and A1 printers send no `NTS`, so only `ssdp:byebye` is refused.
    init?(_ datagram: some Collection<UInt8>, from address: String) {
        guard let message = SSDPMessage(datagram) else { return nil }
        guard message.target?.lowercased() == Self.service, message.headers["nts"]?.lowercased() != "ssdp:byebye",
            let serial = message.headers["usn"].map(Self.device(of:)), (8...32).contains(serial.count),
            // Capital letters and digits, as on the printer's label.
            serial.allSatisfy({ ("0"..."9").contains($0) || ("A"..."Z").contains($0) })
        else { return nil }
        self.serial = String(serial)
        self.address = address
        let model = message.headers["devmodel.bambu.com"] ?? ""
        self.model = model.utf8.count <= 32 && !model.contains(" ") ? model : ""
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
