import ForeignText
import Printers
import StoredSettings

/// The members of a request besides its id.
struct RequestFields {
    let members: [String: JSONValue]

    init(_ payload: [UInt8], mayBeEmpty: Bool) throws(ValidationError) {
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
    }

    /// Reads all fields that the request may have; throws the first fault.
    ///
    /// An unknown member is told first: it may be the misspelled name of a missing one.
    func read<each Value>(_ field: repeat RequestField<each Value>) throws(ValidationError) -> (repeat each Value) {
        var known = ["id"]
        for field in repeat each field { known.append(field.name) }
        if let stranger = members.keys.filter({ !known.contains($0) }).min() {
            let names = known.joined(separator: ", ")
            throw ValidationError(ForeignText.line(stranger), .unknownKey, "is not known; known are \(names)")
        }
        return (repeat try (each field).read(members[(each field).name]))
    }
}

/// A member that a request may have.
struct RequestField<Value> {
    let name: String
    /// Reads the value; nil is a member that the request lacks.
    let read: (JSONValue?) throws(ValidationError) -> Value
}

extension RequestField<PrinterID> {
    static var printer: Self { .printer("printer") }

    static func printer(_ name: String) -> Self {
        Self(name: name) { value throws(ValidationError) in
            guard let value else { throw ValidationError(name, .missing, "is missing: it must be a printer's id") }
            if case .string(let text) = value, let printer = PrinterID(text) { return printer }
            throw ValidationError(name, .invalidValue, "must be a printer's id: \(PrinterID.rule)")
        }
    }
}

extension RequestField<String> {
    static var fingerprint: Self {
        Self(name: "fingerprint") { value throws(ValidationError) in
            guard let value else {
                throw ValidationError("fingerprint", .missing, "is missing: the SHA-256 of a certificate")
            }
            if let digits = value.stringValue.flatMap(CertificatePin.normalized) { return digits }
            throw .noFingerprint
        }
    }
}

extension RequestField<[String: JSONValue]> {
    static var settings: Self {
        Self(name: "settings") { value throws(ValidationError) in
            if let settings = (value ?? [:]).objectValue { return settings }
            throw ValidationError("settings", .wrongType, "must be a JSON object of settings")
        }
    }
}
