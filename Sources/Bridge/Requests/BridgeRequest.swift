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
    var settings: StoredValue?

    init(payload: [UInt8]) throws(ConfigFault) {
        guard case .object(let fields)? = try? StoredValue(json: payload) else {
            throw ConfigFault(path: "", code: "not_an_object", message: "must be a JSON object such as {\"printer\": \"x1\"}")
        }
        id = fields["id"] ?? .null
        guard case .string(let name)? = fields["printer"], let printer = PrinterID(name) else {
            throw ConfigFault(path: "printer", code: "invalid_value", message: "must be a printer's name: \(PrinterID.rule)")
        }
        self.printer = printer
        settings = fields["settings"]
    }
}

/// The answer to a request.
struct BridgeResponse: Sendable, Hashable {
    var id: StoredValue = .null
    var result: Result<StoredValue, ConfigFault>

    func json() -> String {
        switch result {
        case .success(let data):
            return StoredValue.object(["id": id, "status": "ok", "data": data]).json()
        case .failure(let fault):
            let error = StoredValue.object([
                "code": .string(fault.code), "message": .string(fault.message), "path": .string(fault.path),
            ])
            return StoredValue.object(["id": id, "status": "error", "error": error]).json()
        }
    }
}

extension ConfigFault: Error {}
