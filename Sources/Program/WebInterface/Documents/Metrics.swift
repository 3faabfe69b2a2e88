import Bridge
import CameraProtocols
import Foundation
import Platform
import PrinterReport
import StoredSettings

/// What a Prometheus server reads, in the text-based exposition format: the bridge's counters, and each stream's state.
struct Metrics {
    static let contentType = "text/plain; version=0.0.4; charset=utf-8"

    private var lines: [String] = []

    init(_ bridge: BridgeOverview) {
        let health = bridge.health
        add("uptime_seconds", .gauge, "Since the start.", health.uptime)
        if let memory = health.residentMemory {
            add("resident_memory_bytes", .gauge, "Memory in use.", Double(memory))
        }
        add("broker_connected", .gauge, "1 while the broker is connected.", bridge.isConnected ? 1 : 0)
        for event in health.countedEvents {
            add("\(event.rawValue)_total", .counter, "Since the start.", Double(health.counters[event, default: 0]))
        }
        let numbers = StreamStatus.allCases.map { ([("status", $0.rawValue)], Double(health.printers[$0, default: 0])) }
        add("printers", .gauge, "Printers by the status of their stream.", numbers)
        addStreams(of: bridge.printers.filter { $0.stream.report != nil })
        addPrints(of: bridge.printers.filter { $0.report != nil })
    }

    private mutating func addStreams(of printers: [Printer]) {
        add("stream_up", "1 while the camera stream answers.", printers) { $0.stream.report?.isHealthy == true ? 1 : 0 }
        let latencies = printers.flatMap { printer in
            ProbeStage.allCases.compactMap { stage in
                let latency = printer.stream.report?.latencies[stage]
                return latency.map { (printer.label + [("stage", stage.rawValue)], $0.seconds) }
            }
        }
        add("stream_latency_seconds", .gauge, "Of each stage of the last probe.", latencies)
        add("stream_failures", "Probes that failed in a row.", printers) { Double($0.stream.consecutiveFailures) }
        add("stream_checked_timestamp_seconds", "When the last probe ended.", printers) {
            $0.stream.checkedAt?.timeIntervalSince1970.rounded()
        }
        add("certificate_expiry_timestamp_seconds", "Until when the printer's certificate is valid.", printers) {
            $0.stream.report?.certificate?.notAfter.timeIntervalSince1970
        }
    }

    /// The numbers that printers report of themselves, and whether the report is there.
    private mutating func addPrints(of printers: [Printer]) {
        add("print_connected", "1 while the printer's report is followed.", printers) {
            $0.report?.print == nil ? 0 : 1
        }
        for row in PrintRow.printer + PrintRow.nozzle {
            guard case .number(let unit, _) = row.kind else { continue }
            let samples = printers.flatMap { printer -> [([(String, String)], Double)] in
                guard let print = printer.report?.print else { return [] }
                let nozzles = print.nozzles.sorted { $0.key < $1.key }.compactMap { name, values in
                    values[row.key]?.doubleValue.map { (printer.label + [("nozzle", name)], $0) }
                }
                return nozzles.isEmpty
                    ? print.values[row.key]?.doubleValue.map { [(printer.label, $0)] } ?? [] : nozzles
            }
            add("print_\(row.key)\(Self.suffix(of: row.key, unit))", .gauge, "\(row.name), as reported.", samples)
        }
    }

    /// The unit as Prometheus names it, unless the key says it.
    private static func suffix(of key: String, _ unit: String?) -> String {
        let names = ["°C": "_celsius", "%": "_percent", "min": "_minutes", "mm": "_millimeters", "dBm": "_dbm"]
        guard let suffix = unit.flatMap({ names[$0] }), !key.hasSuffix(suffix) else { return "" }
        return suffix
    }

    var text: String { lines.map { $0 + "\n" }.joined() }

    private enum Kind: String { case gauge, counter }

    private mutating func add(_ name: String, _ kind: Kind, _ help: String, _ value: Double) {
        add(name, kind, help, [([], value)])
    }

    /// A gauge with a sample for each printer that has a value.
    private mutating func add(_ name: String, _ help: String, _ printers: [Printer], value: (Printer) -> Double?) {
        add(name, .gauge, help, printers.compactMap { printer in value(printer).map { (printer.label, $0) } })
    }

    private mutating func add(_ name: String, _ kind: Kind, _ help: String, _ samples: [([(String, String)], Double)]) {
        guard !samples.isEmpty else { return }
        let name = "printer2mqtt_" + name
        lines += ["# HELP \(name) \(help)", "# TYPE \(name) \(kind.rawValue)"]
        for (labels, value) in samples {
            // No label needs quoting: a status, a stage, or an id.
            let list = labels.map { "\($0.0)=\"\($0.1)\"" }.joined(separator: ",")
            lines.append("\(name)\(labels.isEmpty ? "" : "{\(list)}") \(value.formatted)")
        }
    }
}

extension Printer {
    fileprivate var label: [(String, String)] { [("printer", id.description)] }
}

extension Double {
    /// Whole numbers without a fraction.
    fileprivate var formatted: String { Int(exactly: self).map(String.init) ?? "\(self)" }
}
