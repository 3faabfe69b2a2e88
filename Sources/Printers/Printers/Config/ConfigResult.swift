package import StoredSettings

/// The answer to a configuration message, published on `B/<p>/config/result`.
package struct ConfigResult: Sendable, Hashable {
    package enum Status: String, Sendable, Hashable {
        /// Persisted, and published.
        case applied
        /// All settings had these values already.
        case unchanged
        case ignored
        /// Not acceptable as it is; the errors say why.
        case invalid
        /// Replayed, and from another revision, epoch or broker.
        case stale
        /// Based on a revision that is not the present one.
        case conflict
        case configStorm = "config_storm"
        /// The printer does not exist, and may not be created over MQTT.
        case forbidden
        /// Valid, but it could not be persisted.
        case failed = "error"
    }

    package var id: String?
    package var status: Status
    package var revision: Int
    package var errors: [ValidationError]

    package init(id: String?, status: Status, revision: Int, errors: [ValidationError] = []) {
        self.id = id
        self.status = status
        self.revision = revision
        self.errors = errors
    }

    package static let errorLimit = 20

    package func json() -> String {
        var faults = errors.prefix(Self.errorLimit).map(\.document)
        if errors.count > Self.errorLimit {
            let rest = "and \(errors.count - Self.errorLimit) more"
            faults.append(ValidationError("", "more", rest).document)
        }
        return JSONValue.object([
            "id": .text(id),
            "status": .string(status.rawValue),
            "revision": .int(revision),
            "errors": .array(faults),
        ]).json()
    }
}

extension ValidationError {
    package var document: JSONValue {
        .object(["path": .string(path), "code": .string(code.rawValue), "message": .string(message)])
    }

    /// The same fault at another path, for a value that is a part of a larger message.
    package func at(_ path: String) -> ValidationError { ValidationError(path, code, message) }

    /// The fault to answer with when the store failed; it quotes the reason of the store, but of no other error.
    package static func notSaved(_ error: any Error) -> ValidationError {
        let reason = (error as? SettingsError)?.message ?? "see the bridge's log"
        return ValidationError("", "not_saved", "could not be saved: \(reason)")
    }

    package static func noPrinter(_ id: PrinterID) -> ValidationError {
        ValidationError("printer", "not_found", "there is no printer \(id)")
    }

    package static let notProbed = ValidationError(
        "printer",
        "not_probed",
        "is not probed: set printer_ip and access_code, or camera_url, and probe_enabled to true"
    )
    package static let noFingerprint = ValidationError(
        "fingerprint",
        .invalidValue,
        "must be the SHA-256 of a certificate: 64 hexadecimal digits"
    )

    package init(_ path: String, _ code: Code, _ message: String) {
        self.init(path: path, code: code, message: message)
    }

    package init(_ path: String, _ code: String, _ message: String) {
        self.init(path: path, code: Code(rawValue: code), message: message)
    }
}

extension ValidationErrors {
    package init(_ path: String, _ code: ValidationError.Code, _ message: String) {
        self.init([ValidationError(path, code, message)])
    }
}
