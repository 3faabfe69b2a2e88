import Foundation

/// Keeps the last day of every printer's stream, in memory only.
actor HistoryRecorder {
    private let registry: PrinterRegistry
    private var histories: [PrinterID: StreamHistory] = [:]

    init(registry: PrinterRegistry) { self.registry = registry }

    /// The last day of a printer.
    subscript(id: PrinterID) -> StreamHistory { histories[id] ?? StreamHistory() }

    /// Records until it is cancelled.
    func run() async {
        let changes = await registry.watch()
        for await _ in changes.wakes {
            let changed = changes.take()
            let printers = await registry.printers(changed)
            let time = Date()
            for id in changed {
                if let printer = printers[id] {
                    histories[id, default: StreamHistory()].record(printer.stream.status, at: time)
                } else {
                    histories[id] = nil
                }
            }
        }
    }
}
