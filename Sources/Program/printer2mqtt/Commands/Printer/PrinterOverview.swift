import Bridge
import JSON
import StoredSettings

struct PrinterOverview: Sendable, Hashable {
    /// One printer, as the document that `--json` prints.
    private typealias Row = [String: JSONValue]

    /// Whether the states are those of a running bridge; otherwise only the settings are known.
    private let isFromBridge: Bool
    private let isBridgeRunning: Bool
    private let rows: [Row]

    /// Reads it as it is now.
    init(_ app: AppContext) async throws {
        let printers = try await app.openRegistry().registry.all
        let bridge = await RunningBridge(in: app)
        isFromBridge = bridge != nil
        isBridgeRunning = isFromBridge || ProcessLock.isHeld(app.state.lockFile)
        rows = printers.map { Self.row($0, published: bridge?.stream($0.id) ?? [:]) }
    }

    var table: String {
        let cells = rows.map { row in
            let address = [row["camera_url"], row["printer_ip"]].compactMap { $0?.stringValue }.first { !$0.isEmpty }
            let texts = ["id", "name", "model", "status", "reason"].map { row[$0]?.stringValue ?? "" }
            return [texts[0], texts[1], address ?? "-"] + texts.dropFirst(2)
        }
        return TextTable([["ID", "NAME", "ADDRESS", "MODEL", "STATUS", "REASON"]] + cells) { row, column in
            row == 0 ? .bold : column == 4 ? StreamStatus(rawValue: cells[row - 1][4])?.style : nil
        }.description
    }

    private static func row(_ printer: Printer, published stream: Row) -> Row {
        var row: Row = [
            "id": .string(printer.id.description), "name": .string(printer.displayName),
            "printer_ip": .string(printer.committed.printerIP),
            "camera_url": .string(printer.committed.cameraURL),
            "model": .string(printer.committed.model.rawValue),
            // Without a bridge the resting state follows from the settings.
            "status": .string(printer.stream.status.rawValue),
        ]
        for key in ["reason", "message", "hint", "checked_at"] { row[key] = .null }
        return row.merging(stream.filter { row[$0.key] != nil || $0.key == "status" }) { $1 }
    }

    /// What a person has to know of the states; nil if they are those of the bridge.
    var note: String? {
        if isFromBridge { return nil }
        let reason = isBridgeRunning ? "the bridge does not answer" : "no bridge runs on this state folder"
        return "The states are not known: \(reason)."
    }

    var json: String {
        JSONValue.object([
            "source": isFromBridge ? "bridge" : "store",
            "note": note.map(JSONValue.string) ?? .null,
            "printers": .array(rows.map(JSONValue.object)),
        ]).json()
    }
}

extension StreamStatus {
    fileprivate var style: TextStyle? {
        switch self {
        case .healthy: .green
        case .down: .red
        case .degraded, .unconfigured: .yellow
        case .disabled, .unknown: nil
        }
    }
}
