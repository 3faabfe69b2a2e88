import Settings

/// What can be asked of the bridge on `B/bridge/request/<verb>`.
enum RequestVerb: String, CaseIterable, Sendable {
    case printerAdd = "printer/add"
    case printerRemove = "printer/remove"
    case printerProbe = "printer/probe"
}

/// A request, read from its JSON.
struct BridgeRequest: Sendable, Hashable {
    /// The asker's own id for it.
    var id: StoredValue
    /// The printer it is about.
    var printer: PrinterID
    /// For `printer/add`: its settings.
    var settings: [String: StoredValue]

    init(payload: [UInt8]) throws(SettingFault) {
        guard case .object(let fields)? = try? StoredValue(json: payload) else {
            throw SettingFault(
                path: "",
                code: .init(rawValue: "not_an_object"),
                message: "must be a JSON object such as {\"printer\": \"x1\"}"
            )
        }
        id = fields["id"] ?? .null
        guard case .string(let name)? = fields["printer"], let printer = PrinterID(name) else {
            throw SettingFault(
                path: "printer",
                code: .init(rawValue: "invalid_value"),
                message: "must be a printer's name: \(PrinterID.rule)"
            )
        }
        self.printer = printer
        switch fields["settings"] {
        case nil: settings = [:]
        case .object(let fields)?: settings = fields
        default: throw SettingFault(path: "settings", code: .wrongType, message: "must be a JSON object of settings")
        }
    }
}

extension BridgeRequest {
    /// The id of a payload that may not be a request, so that the answer can name it.
    static func id(in payload: [UInt8]) -> StoredValue {
        guard case .object(let fields)? = try? StoredValue(json: payload) else { return .null }
        return fields["id"] ?? .null
    }
}

/// The answer to a request.
struct BridgeResponse: Sendable, Hashable {
    var id: StoredValue = .null
    var result: Result<StoredValue, SettingFault>

    func json() -> String {
        switch result {
        case .success(let data):
            return StoredValue.object(["id": id, "status": "ok", "data": data]).json()
        case .failure(let fault):
            return StoredValue.object(["id": id, "status": "error", "error": fault.document]).json()
        }
    }
}
