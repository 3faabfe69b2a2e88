import Bridge
import CameraProtocols
import Foundation
import JSON
import OpenSSL
import StoredSettings

/// A text for a bug report, without secrets; pure.
struct BugReport: Sendable {
    var overview: BridgeOverview
    var configurations: [PrinterID: JSONValue]
    /// What the doctor found last.
    var findings: [JSONValue] = []

    /// Names of people, serial numbers and addresses that may hold a key are left out as well, because people publish the text.
    private static let left: Set<String> = [
        "access_code", "name", "serial", "announced_ip", "stream_url", "camera_url", "meta",
    ]

    var text: String {
        let info = overview.info
        var lines = [
            "printer2mqtt \(info.version), started \(info.startedAt.formatted(.iso8601))",
            "broker: \(overview.isConnected ? "connected" : "not connected"), MQTT \(info.protocolVersion)",
            "discovery: \(overview.discoveryHasReaders.map { $0 ? "a client reads it" : "no client reads it" } ?? "unknown")",
            "health: \(overview.health.document.json())",
        ]
        lines += info.warnings.sorted.map { masked("warning \($0.code.rawValue): \($0.message)", overview.printers) }
        let printers = Dictionary(uniqueKeysWithValues: overview.printers.map { ("printer \($0.id)", [$0]) })
        lines += findings.compactMap(\.objectValue).map { finding in
            let words = ["verdict", "subject", "message"].compactMap { finding[$0]?.stringValue }
            let about = finding["subject"]?.stringValue.flatMap { printers[$0] }
            return masked("doctor: " + words.joined(separator: " "), about ?? overview.printers)
        }
        for printer in overview.printers {
            lines += ["", "printer \(printer.id)"] + self.lines(about: printer).map { masked($0, [printer]) }
        }
        return lines.joined(separator: "\n") + "\n"
    }

    /// Messages about certificates name serial numbers of the printers that they are about.
    private func masked(_ line: String, _ printers: [Printer]) -> String {
        let serials = printers.flatMap { printer in
            [printer.committed.serial, printer.stream.report?.certificate?.commonName ?? ""]
        }
        // A shorter text is no serial number, and may be a part of any word.
        return Set(serials.filter { $0.utf8.count >= 8 }).reduce(line) { $0.replacing($1, with: "(serial)") }
    }

    private func lines(about printer: Printer) -> [String] {
        let settings = configurations[printer.id]?.objectValue ?? [:]
        let shown = settings.filter { !Self.left.contains($0.key) }.sorted { $0.key < $1.key }
        let stream = streamDocument(of: printer, viewers: ViewerAddresses()).objectValue ?? [:]
        let report = stream.filter { $0.value != .null && $0.key != "certificate" }.sorted { $0.key < $1.key }
        return [
            "  settings: " + shown.map { "\($0.key)=\($0.value.json())" }.joined(separator: " "),
            "  stream: " + report.map { "\($0.key)=\($0.value.json())" }.joined(separator: " "),
        ]
    }
}
