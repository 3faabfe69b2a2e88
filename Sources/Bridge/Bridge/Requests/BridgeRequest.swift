import ForeignText
import Printers
package import StoredSettings

enum BridgeRequest: Sendable, Hashable {
    case add(PrinterID, settings: [String: JSONValue])
    case remove(PrinterID)
    case rename(PrinterID, to: PrinterID)
    case probe(PrinterID)
    case snapshot(PrinterID)
    case witness(PrinterID)
    case updateAddress(PrinterID)
    case acceptCertificate(PrinterID, fingerprint: String)
    case options([String: JSONValue])
    case restart
    case health

    /// Reads the members of a verb's request; throws the first fault.
    init(_ verb: RequestVerb, payload: [UInt8]) throws(ValidationError) {
        let fields = try Self.fields(of: payload, mayBeEmpty: [.restart, .health, .options].contains(verb))
        if let id = fields["id"], id != .null, !id.isMessageID {
            throw ValidationError("id", .wrongType, "must be a string of 1 to 128 bytes, or a number")
        }
        if let known = verb.fields, let stranger = fields.keys.filter({ !known.contains($0) && $0 != "id" }).min() {
            let names = (["id"] + known).joined(separator: ", ")
            throw ValidationError(ForeignText.line(stranger), .unknownKey, "is not known; known are \(names)")
        }
        switch verb {
        case .printerAdd: self = .add(try fields.printer("printer"), settings: try fields.settings())
        case .printerRemove: self = .remove(try fields.printer("printer"))
        case .printerRename: self = .rename(try fields.printer("printer"), to: try fields.printer("to"))
        case .printerProbe: self = .probe(try fields.printer("printer"))
        case .printerSnapshot: self = .snapshot(try fields.printer("printer"))
        case .printerWitness: self = .witness(try fields.printer("printer"))
        case .printerUpdateAddress: self = .updateAddress(try fields.printer("printer"))
        case .printerAcceptCertificate:
            self = .acceptCertificate(try fields.printer("printer"), fingerprint: try fields.fingerprint())
        case .options: self = .options(fields.filter { $0.key != "id" })
        case .restart: self = .restart
        case .health: self = .health
        }
    }

    private static func fields(of payload: [UInt8], mayBeEmpty: Bool) throws(ValidationError) -> [String: JSONValue] {
        if mayBeEmpty, payload.isEmpty { return [:] }
        var message =
            mayBeEmpty ? "must be a JSON object, or empty" : "must be a JSON object such as {\"printer\": \"x1\"}"
        do {
            if case .object(let fields) = try JSONValue(json: payload, limits: .message) { return fields }
        } catch {
            // What looks like an object may have the same name twice, or too many levels.
            message += "; this is not acceptable JSON: \(error)"
        }
        throw ValidationError("", "not_an_object", message)
    }
}

extension [String: JSONValue] {
    fileprivate func printer(_ field: String) throws(ValidationError) -> PrinterID {
        guard let value = self[field] else {
            throw ValidationError(field, .missing, "is missing: it must be a printer's id")
        }
        if case .string(let name) = value, let printer = PrinterID(name) { return printer }
        throw ValidationError(field, .invalidValue, "must be a printer's id: \(PrinterID.rule)")
    }

    fileprivate func fingerprint() throws(ValidationError) -> String {
        if self["fingerprint"] == nil {
            throw ValidationError("fingerprint", .missing, "is missing: the SHA-256 of a certificate")
        }
        if let digits = self["fingerprint"]?.stringValue.flatMap(CertificatePin.normalized) { return digits }
        throw .noFingerprint
    }

    fileprivate func settings() throws(ValidationError) -> [String: JSONValue] {
        switch self["settings"] {
        case nil: return [:]
        case .object(let settings)?: return settings
        default: throw ValidationError("settings", .wrongType, "must be a JSON object of settings")
        }
    }
}

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

    /// Whether a request succeeds only once, so that the answer to a repetition by the broker would be an error.
    var succeedsOnce: Bool { [.printerAdd, .printerRemove, .printerRename, .printerUpdateAddress].contains(self) }

    /// The members that a request may have besides `id`; nil for `options`: ``RuntimeOptions`` declares them.
    var fields: [String]? {
        switch self {
        case .printerAdd: ["printer", "settings"]
        case .printerRemove, .printerProbe, .printerSnapshot, .printerWitness, .printerUpdateAddress: ["printer"]
        case .printerRename: ["printer", "to"]
        case .printerAcceptCertificate: ["printer", "fingerprint"]
        case .options: nil
        case .restart, .health: []
        }
    }
}

/// The data of the answer to a request, or its faults.
package typealias RequestResult = Result<JSONValue, ValidationErrors>

struct BridgeResponse: Sendable, Hashable {
    var id: JSONValue = .null
    var result: RequestResult

    func json() -> String {
        switch result {
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
