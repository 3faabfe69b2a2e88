import Bridge
import Logging
import Printers

/// The first lines on a terminal: where everything is, and commands to paste.
struct Banner: CustomStringConvertible {
    let topics: Topics
    let broker: BrokerURL
    let installation: Installation
    var isBrokerPrivate = false
    var printers: [PrinterID] = []
    var simulated: PrinterID?

    var description: String {
        var rows = [
            ["broker", broker.description + (isBrokerPrivate ? " (private, started by this bridge)" : "")],
            ["printers", printers.isEmpty ? "none yet" : printerList],
            ["look", "\(installation.program) topics --follow"],
        ]
        // Pasted as it is, it must not change a printer that is there.
        if let example = PrinterID.free("x1c", beside: printers) {
            rows.append(["add", "\(installation.program) printer add \(example) --printer-ip 192.0.2.7"])
        }
        return "printer2mqtt \(Printer2MQTT.version)\n" + TextTable(rows.map { [" "] + $0 }).description
    }

    var metadata: Logger.Metadata {
        [
            "version": "\(Printer2MQTT.version)", "broker": "\(broker)", "base_topic": "\(topics.base)",
            "printers": "\(printerList)",
        ]
    }

    /// The first printers: a farm has thousands.
    private var printerList: String {
        let shown = printers.prefix(10).map(name).joined(separator: ", ")
        return printers.count > 10 ? "\(shown) and \(printers.count - 10) more" : shown
    }

    private func name(_ id: PrinterID) -> String { id == simulated ? "\(id) (simulated)" : id.description }
}
