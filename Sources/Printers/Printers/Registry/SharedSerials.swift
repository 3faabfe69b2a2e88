import StoredSettings

/// Which printers have one serial number: the settings of one physical printer, stored twice.
///
/// A change costs the same, however many printers there are.
package struct SharedSerials {
    private var serials: [PrinterID: String] = [:]
    private var printers: [String: Set<PrinterID>] = [:]
    private var shared: Set<String> = []

    package init(_ printers: some Sequence<Printer> = []) {
        for printer in printers { self[printer.id] = printer.committed.serial }
    }

    /// The serial number of a printer; nil if it has none.
    package subscript(id: PrinterID) -> String? {
        get { serials[id] }
        set {
            if let old = serials.removeValue(forKey: id) { change(old) { $0.remove(id) } }
            guard let new = newValue, !new.isEmpty else { return }
            serials[id] = new
            change(new) { $0.insert(id) }
        }
    }

    private mutating func change(_ serial: String, _ body: (inout Set<PrinterID>) -> Void) {
        body(&printers[serial, default: []])
        let count = printers[serial]?.count ?? 0
        if count == 0 { printers[serial] = nil }
        if count > 1 { shared.insert(serial) } else { shared.remove(serial) }
    }

    /// The ids of printers that have one serial number, in alphabetical order.
    package var groups: [[PrinterID]] {
        shared.compactMap { printers[$0]?.sorted() }.sorted { $0.lexicographicallyPrecedes($1) }
    }
}
