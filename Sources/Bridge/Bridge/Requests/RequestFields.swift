import ForeignText
import Printers
import StoredSettings

/// The members of a request besides its id.
struct RequestFields {
    let members: [String: JSONValue]

    /// Throws the first fault; an unknown member comes before a missing one, whose name may be misspelled.
    init(_ payload: [UInt8], of verb: RequestVerb) throws(ValidationError) {
        let mayBeEmpty = verb.members?.isEmpty ?? true
        var message =
            mayBeEmpty ? "must be a JSON object, or empty" : "must be a JSON object such as {\"printer\": \"x1\"}"
        var document: JSONValue?
        do { document = try mayBeEmpty && payload.isEmpty ? [:] : JSONValue(json: payload, limits: .message) } catch {
            // What looks like an object may have the same name twice, or too many levels.
            message += "; this is not acceptable JSON: \(error)"
        }
        guard var members = document?.objectValue else { throw ValidationError("", "not_an_object", message) }
        if let id = members.removeValue(forKey: "id"), id != .null, !id.isMessageID {
            throw ValidationError("id", .wrongType, "must be a string of 1 to 128 bytes, or a number")
        }
        self.members = members
        let known = verb.members ?? Array(members.keys)
        guard let stranger = members.keys.filter({ !known.contains($0) }).min() else { return }
        let names = (["id"] + known).joined(separator: ", ")
        throw ValidationError(ForeignText.line(stranger), .unknownKey, "is not known; known are \(names)")
    }

    func printer(_ name: String = "printer") throws(ValidationError) -> PrinterID {
        guard let value = members[name] else {
            throw ValidationError(name, .missing, "is missing: it must be a printer's id")
        }
        if let printer = value.stringValue.flatMap({ PrinterID($0) }) { return printer }
        throw ValidationError(name, .invalidValue, "must be a printer's id: \(PrinterID.rule)")
    }

    func fingerprint() throws(ValidationError) -> String {
        guard let value = members["fingerprint"] else {
            throw ValidationError("fingerprint", .missing, "is missing: the SHA-256 of a certificate")
        }
        if let digits = value.stringValue.flatMap(CertificatePin.normalized) { return digits }
        throw .noFingerprint
    }

    func settings() throws(ValidationError) -> [String: JSONValue] {
        if let settings = (members["settings"] ?? [:]).objectValue { return settings }
        throw ValidationError("settings", .wrongType, "must be a JSON object of settings")
    }
}
