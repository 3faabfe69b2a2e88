import ForeignText
package import StoredSettings

/// What a configuration message asks for: a patch, and in an envelope what it was based on.
package struct ConfigRequest: Sendable, Hashable {
    var id: String?
    var baseRevision: Int?
    var epoch: String?
    /// New values by key; nil is 'back to the default'.
    var patch: [String: JSONValue?]
    /// What the paths of faults in the patch begin with, such as `set.`.
    var path = ""

    /// Whether a secret was sent, and so should not stay on the broker.
    var carriesSecret: Bool {
        PrinterSettings.schema.descriptors.contains { $0.isSecret && patch[$0.name].flatMap(\.self) != nil }
    }

    /// Reads a message; throws every fault, with its path.
    init(_ content: ConfigMessage.Content) throws(ValidationErrors) {
        switch content {
        case .json(let payload): self = try Self.parse(payload)
        case .patch(let patch, let baseRevision, let path):
            self.init(baseRevision: baseRevision, patch: try Self.validated(patch, at: path))
            self.path = path
        }
    }

    fileprivate init(id: String? = nil, baseRevision: Int? = nil, epoch: String? = nil, patch: [String: JSONValue?]) {
        (self.id, self.baseRevision, self.epoch, self.patch) = (id, baseRevision, epoch, patch)
    }

    private static func parse(_ payload: [UInt8]) throws(ValidationErrors) -> ConfigRequest {
        let document: JSONValue
        do { document = try JSONValue(json: payload, limits: .message) } catch {
            throw ValidationErrors("", .notJSON, "is not acceptable JSON: \(error)")
        }
        guard case .object(let fields) = document else {
            throw ValidationErrors("", .wrongType, "must be a JSON object of settings")
        }
        if Envelope.keys.isDisjoint(with: fields.keys) { return ConfigRequest(patch: try validated(fields, at: "")) }
        var envelope = Envelope(fields)
        return try envelope.request()
    }

    fileprivate static func validated(
        _ fields: [String: JSONValue],
        at prefix: String
    ) throws(ValidationErrors) -> [String: JSONValue?] {
        var faults = PrinterSettings.emptied(in: fields)
        switch PrinterSettings.schema.validate(patch: fields) {
        case .success(let patch) where faults.isEmpty: return patch
        case .success: break
        case .failure(let found):
            faults = (faults + found.faults.map(\.knowingPrinters)).sorted {
                $0.path.utf8.lexicographicallyPrecedes($1.path.utf8)
            }
        }
        throw ValidationErrors(faults.map { $0.at(prefix + $0.path) })
    }
}

/// `{"id": …, "base_revision": …, "epoch": …, "set": {…}}`, read fault by fault.
private struct Envelope {
    static let keys: Set<String> = ["id", "base_revision", "epoch", "set"]

    private let fields: [String: JSONValue]
    private var faults: [ValidationError] = []

    init(_ fields: [String: JSONValue]) { self.fields = fields }

    mutating func request() throws(ValidationErrors) -> ConfigRequest {
        for key in fields.keys.sorted() where !Self.keys.contains(key) {
            fault(ForeignText.line(key), .unknownKey, "is not a key of an envelope: settings belong under \"set\"")
        }
        var request = ConfigRequest(id: text("id"), baseRevision: revision(), epoch: text("epoch"), patch: [:])
        switch fields["set"] {
        case .object(let settings)?:
            request.path = "set."
            do { request.patch = try ConfigRequest.validated(settings, at: request.path) } catch {
                faults += error.faults
            }
        case nil: fault("set", .missing, "is missing: an envelope holds its patch under \"set\"")
        default: fault("set", .wrongType, "must be a JSON object of settings")
        }
        if !faults.isEmpty { throw ValidationErrors(faults) }
        return request
    }

    private mutating func text(_ key: String) -> String? {
        switch fields[key] {
        case nil, .null?: return nil
        case .string(let text)? where JSONValue.messageIDLength.contains(text.utf8.count): return text
        default:
            fault(key, .wrongType, "must be a string of 1 to 128 bytes")
            return nil
        }
    }

    private mutating func revision() -> Int? {
        guard let value = fields["base_revision"], value != .null else { return nil }
        if let number = value.intValue, number >= 0 { return number }
        fault("base_revision", .wrongType, "must be a whole number, 0 or more")
        return nil
    }

    private mutating func fault(_ path: String, _ code: ValidationError.Code, _ message: String) {
        faults.append(ValidationError(path, code, message))
    }
}

extension JSONValue {
    /// The bytes of an id that a controller gives a message.
    static let messageIDLength = 1...128

    package var isMessageID: Bool {
        switch self {
        case .string(let text): Self.messageIDLength.contains(text.utf8.count)
        case .int, .double: true
        default: false
        }
    }

    /// The id in a payload that may not be valid, so that the answer can name it.
    package static func messageID(in payload: [UInt8]) -> JSONValue? {
        let id = (try? JSONValue(json: payload, limits: .message))?.objectValue?["id"]
        return id?.isMessageID == true ? id : nil
    }
}

extension JSONLimits {
    /// What a message or a request may hold: eight times as many values as there are settings.
    package static let message = JSONLimits(values: 256)
}

extension ValidationError.Code {
    static let notJSON = Self(rawValue: "not_json")
    package static let missing = Self(rawValue: "missing")
}
