import Printers
import RTSP
import StoredSettings

/// Whether printers wait for the vendor's authorities: P1 and A1 printers with a serial number that nothing proves.
enum AuthoritiesCheck {
    static func finding(_ printers: [Printer], _ authorities: VendorAuthorities) -> Finding? {
        let waiting = printers.filter { printer in
            printer.streamProtocol == .jpeg && !printer.configuration[PrinterSettings.keys.serial].isEmpty
                && printer.configuration[PrinterSettings.keys.certificate] == .pinned
                && printer.camera?.pin?.provesPrinter != true
        }
        guard !waiting.isEmpty, authorities.hasNoRoot else { return nil }
        return Finding(.authoritiesMissing, ["ids": waiting.map(\.id.description).joined(separator: ", ")])
    }
}
