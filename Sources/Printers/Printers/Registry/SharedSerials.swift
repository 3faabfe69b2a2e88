import StoredSettings

extension Sequence<Printer> {
    /// The ids of printers that have one serial number, in alphabetical order.
    ///
    /// They are the settings of one physical printer, stored twice.
    package var sharedSerials: [[PrinterID]] {
        Dictionary(grouping: self) { $0.committed.serial }
            .filter { serial, printers in !serial.isEmpty && printers.count > 1 }
            .map { $0.value.map(\.id).sorted() }
            .sorted { $0.lexicographicallyPrecedes($1) }
    }
}
