import Bridge
import Logging

/// What a person sees first: where everything is, and the lines to look and to change.
struct Banner: CustomStringConvertible {
    var broker = BrokerURL.tcp(host: "127.0.0.1", port: 1_883)
    var isBrokerPrivate = false
    var printers: [PrinterID] = []
    var simulated: PrinterID?
    let topics: Topics

    init(topics: Topics) { self.topics = topics }

    var description: String {
        let example = printers.first ?? PrinterID("x1")
        var rows = [
            ["broker", broker.description + (isBrokerPrivate ? " (private, started by this bridge)" : "")],
            ["printers", printers.isEmpty ? "none yet" : printers.map(name).joined(separator: ", ")],
            ["look", "mosquitto_sub \(address) -v -t '\(topics.base)/#'"],
        ]
        if let example {
            let patch = #"{"printer_ip":"192.0.2.7","access_code":"12345678"}"#
            rows.append(["change", "mosquitto_pub \(address) -r -t \(topics.configSet(example)) -m '\(patch)'"])
        }
        return "printer2mqtt \(Printer2MQTT.version)\n" + TextTable(rows.map { [" "] + $0 }).description
    }

    /// The same for a log.
    var metadata: Logger.Metadata {
        [
            "version": "\(Printer2MQTT.version)", "broker": "\(broker)", "base_topic": "\(topics.base)",
            "printers": "\(printers.map(\.description).joined(separator: ", "))",
        ]
    }

    private func name(_ id: PrinterID) -> String { id == simulated ? "\(id) (simulated)" : id.description }

    private var address: String {
        switch broker {
        case .tcp(let host, let port): "-h \(host) -p \(port)"
        case .tls(let host, let port): "-h \(host) -p \(port) --tls-use-os-certs"
        case .unix(let path): "--unix \(path)"
        }
    }
}
