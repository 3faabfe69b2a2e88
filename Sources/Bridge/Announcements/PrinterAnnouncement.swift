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
            // Capital letters and digits, as on the printer's label.
            let serial = message.headers["usn"], (8...32).contains(serial.utf8.count),
            serial.allSatisfy({ $0.isUppercase || $0.isWholeNumber })
        else { return nil }
        self.serial = serial
        self.address = address
        let model = message.headers["devmodel.bambu.com"] ?? ""
        self.model = model.utf8.count <= 32 && !model.contains(" ") ? model : ""
    }
}
