import Printers
import StoredSettings

/// The printers with the states of their streams, as `printer list` shows them.
struct PrinterOverview: Sendable, Hashable {
    /// Where the states come from.
    enum Source: Sendable, Hashable {
        /// The topics of the running bridge.
        case bridge
        /// The settings alone; the text says why.
        case store(String)
    }

    /// One printer.
    struct Row: Sendable, Hashable {
        var id: PrinterID
        var name: String
        var address: String
        var model: PrinterModel
        var status: StreamStatus
        var reason: String?
        var message: String?
        var hint: String?
        var checkedAt: String?
    }

    var source: Source
    var rows: [Row]

    /// - Parameters:
    ///   - printers: The printers of the store.
    ///   - source: Where the states come from.
    ///   - published: The documents of the streams, by printer.
    init(_ printers: [Printer], from source: Source, published: [PrinterID: String] = [:]) {
        self.source = source
        rows = printers.map { Row($0, published: published[$0.id]) }
    }

    var table: String {
        let rows = rows.map { row in
            let address = row.address.isEmpty ? "-" : row.address
            return [
                row.id.description, row.name, address, row.model.rawValue, row.status.rawValue, row.reason ?? "",
            ]
        }
        return TextTable([["ID", "NAME", "ADDRESS", "MODEL", "STATUS", "REASON"]] + rows) { row, column in
            row == 0 ? .bold : column == 4 ? self.rows[row - 1].status.style : nil
        }.description
    }

    /// What a person has to know of the states; nil if they are those of the bridge.
    var note: String? {
        if case .store(let reason) = source { "The states are not known: \(reason)" } else { nil }
    }

    var json: String {
        let isOfBridge = source == .bridge
        return SettingValue.object([
            "source": .string(isOfBridge ? "bridge" : "store"),
            "note": .optional(note),
            "printers": .array(rows.map(\.document)),
        ]).json()
    }
}

extension PrinterOverview.Row {
    fileprivate init(_ printer: Printer, published: String?) {
        let configuration = printer.configuration
        let stream = published.flatMap { try? SettingValue(json: $0).objectValue }
        id = printer.id
        name = printer.displayName
        address = configuration[PrinterSettings.keys.printerIP]
        model = configuration[PrinterSettings.keys.model]
        // Without a bridge the resting state follows from the settings.
        status = stream?["status"]?.stringValue.flatMap(StreamStatus.init(rawValue:)) ?? printer.stream.status
        reason = stream?["reason"]?.stringValue
        message = stream?["message"]?.stringValue
        hint = stream?["hint"]?.stringValue
        checkedAt = stream?["checked_at"]?.stringValue
    }

    fileprivate var document: SettingValue {
        [
            "id": .string(id.description), "name": .string(name), "printer_ip": .string(address),
            "model": .string(model.rawValue), "status": .string(status.rawValue), "reason": .optional(reason),
            "message": .optional(message), "hint": .optional(hint), "checked_at": .optional(checkedAt),
        ]
    }
}

extension SettingValue {
    fileprivate static func optional(_ text: String?) -> SettingValue { text.map(SettingValue.string) ?? .null }
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
