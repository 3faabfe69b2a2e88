import Printers
package import StoredSettings

/// What can be asked of the bridge on `B/bridge/request/<verb>`.
enum RequestVerb: String, CaseIterable, Sendable {
    case printerAdd = "printer/add"
    case printerRemove = "printer/remove"
    case printerRename = "printer/rename"
    case printerProbe = "printer/probe"
    case printerSnapshot = "printer/snapshot"
    case printerWitness = "printer/witness"
    case printerUpdateAddress = "printer/update_address"
    case printerAcceptCertificate = "printer/accept_certificate"
    case options
    case restart
    case health

    /// The verb of a name that a client chose; nil if there is none.
    init?(named name: String) {
        guard let verb = Self.allCases.first(where: { $0.rawValue.isSameBytes(as: name) }) else { return nil }
        self = verb
    }

    /// The members of a request besides its id; nil for options, which declare their own.
    var members: [String]? {
        switch self {
        case .printerAdd: ["printer", "settings"]
        case .printerRename: ["printer", "to"]
        case .printerAcceptCertificate: ["printer", "fingerprint"]
        case .options: nil
        case .restart, .health: []
        default: ["printer"]
        }
    }

    /// Whether a request succeeds only once, so that the answer to a repetition by the broker would be an error.
    var succeedsOnce: Bool { [.printerAdd, .printerRemove, .printerRename, .printerUpdateAddress].contains(self) }
}

/// The data of the answer to a request, or its faults.
package typealias RequestResult = Result<JSONValue, ValidationErrors>

extension RequestResult {
    /// The answer to the request with an id.
    func response(to id: JSONValue) -> String {
        switch self {
        case .success(let data):
            return JSONValue.object(["id": id, "status": "ok", "data": data]).json()
        case .failure(let failure):
            let faults = failure.faults.prefix(ConfigResult.errorLimit).map(\.document)
            var fields: [String: JSONValue] = ["id": id, "status": "error"]
            fields["error"] = faults.first
            if faults.count > 1 { fields["errors"] = .array(faults) }
            return JSONValue.object(fields).json()
        }
    }
}
