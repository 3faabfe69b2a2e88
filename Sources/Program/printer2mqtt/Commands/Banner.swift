import Bridge
import Logging
import Printers

/// The first lines on a terminal: where everything is, and commands to paste.
struct Banner: CustomStringConvertible {
    let broker: BrokerURL
    var isBrokerPrivate = false
    var printers: [PrinterID] = []
    var simulated: PrinterID?

    private let configuration: FileConfiguration
    private var topics: Topics { configuration.topics }

    init(_ configuration: FileConfiguration, broker: BrokerURL) {
        (self.configuration, self.broker) = (configuration, broker)
    }

    var description: String {
        var rows = [
            ["broker", broker.description + (isBrokerPrivate ? " (private, started by this bridge)" : "")],
            ["printers", printers.isEmpty ? "none yet" : printerList],
            ["look", "mosquitto_sub \(client) -v -t '\(topics.base)/#'"],
        ]
        // Pasted as it is, it must not change a printer that is there.
        let examples = (1...).lazy.compactMap { PrinterID($0 == 1 ? "x1c" : "x1c_\($0)") }
        if let example = examples.first(where: { !printers.contains($0) }) {
            let patch = #"{"printer_ip":"192.0.2.7","access_code":"12345678"}"#
            rows.append(["add", "mosquitto_pub \(client) -q 1 -t \(topics.configSet(example)) -m '\(patch)'"])
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

    /// The options of mosquitto's clients for the same broker and user.
    private var client: String { ([address] + trust + login).joined(separator: " ") }

    private var address: String {
        switch broker {
        case .tcp(let host, let port), .tls(let host, let port): "-h \(host) -p \(port)"
        case .unix(let path): "--unix \(quoted(path))"
        }
    }

    private var trust: [String] {
        guard case .tls = broker else { return [] }
        let authority = option("--cafile", \.mqttCA)
        let identity = option("--cert", \.mqttCertificate) + option("--key", \.mqttKey)
        return (authority.isEmpty ? ["--tls-use-os-certs"] : authority) + identity
    }

    /// The password itself is not shown: screens and lists of processes can be read.
    private var login: [String] {
        let hasPassword = !configuration[\.mqttPassword].isEmpty
        return option("-u", \.mqttUserName) + (hasPassword ? ["-P PASSWORD"] : [])
    }

    private func option(_ name: String, _ key: FileConfiguration.Key<String>) -> [String] {
        configuration.given(key).map { ["\(name) \(quoted($0))"] } ?? []
    }

    private func quoted(_ text: String) -> String {
        let isPlain = text.wholeMatch(of: /[A-Za-z0-9_.\/:-]+/) != nil
        return isPlain ? text : "'" + text.replacing("'", with: #"'\''"#) + "'"
    }
}
