import StoredSettings

/// The printers that have one serial number: the settings of one physical printer, stored twice.
///
/// The time for a change does not depend on the number of printers.
package struct SharedSerials: Sendable {
    private var serials: [PrinterID: String] = [:]
    private var printers: [String: Set<PrinterID>] = [:]
    private var shared: Set<String> = []

    package init(_ all: [Printer] = []) {
        for printer in all { note(printer.id, printer) }
    }

    /// The ids of printers with the same serial number, in alphabetical order.
    package var groups: [[PrinterID]] {
        shared.map { (printers[$0] ?? []).sorted() }.sorted { $0.lexicographicallyPrecedes($1) }
    }

    /// Notes a printer as it is now; nil for one that is gone.
    package mutating func note(_ id: PrinterID, _ printer: Printer?) {
        let serial = printer?.committed.serial ?? ""
        guard serial != serials[id] ?? "" else { return }
        if let old = serials.removeValue(forKey: id) {
            printers[old]?.remove(id)
            update(old)
        }
        guard !serial.isEmpty else { return }
        serials[id] = serial
        printers[serial, default: []].insert(id)
        update(serial)
    }

    private mutating func update(_ serial: String) {
        let count = printers[serial]?.count ?? 0
        if count > 1 { shared.insert(serial) } else { shared.remove(serial) }
        if count == 0 { printers[serial] = nil }
    }
}
