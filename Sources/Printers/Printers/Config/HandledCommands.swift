import Foundation
import StoredSettings

/// The last configuration messages of one printer that were handled; a message that comes again is compared with them.
///
/// Each has an idempotency key: its id, or else a keyed digest of its payload. The record has one value for each message,
/// named after the key: finding a message reads no other value, and keeping it changes one.
struct HandledCommands: Sendable {
    struct Entry: Sendable, Hashable {
        var key: String
        /// Nil for a retained command whose answer is not among the last ones.
        var status: ConfigResult.Status?
        var revision = 0

        /// Whether it was valid, and refused: publishing it again may apply it, a replay does not.
        var isRefused: Bool {
            switch status {
            case .stale, .conflict, .configStorm, .forbidden: true
            case .applied, .unchanged, .ignored, .invalid, .failed, nil: false
            }
        }
    }

    /// How many messages are kept at least.
    ///
    /// After a crash the broker repeats all messages without an acknowledgement. At most two batches of
    /// ``MQTT/MQTTConfiguration/maximumInFlight`` of them are committed: the last batch, and the one before if the broker
    /// has not read its acknowledgements.
    static let limit = 240
    /// How many messages beyond `limit` may be kept, so that the oldest are searched for only now and then.
    static let slack = 15
    /// How many messages of a printer that could not be saved are remembered; a later one adds an entry for each.
    static let unsavedLimit = 16
    /// How many ids that never had a printer may have a scope of handled messages.
    ///
    /// Refused messages are stored. Without this limit, a stranger with the right to send messages could fill the disk. A
    /// new scope does not replace the oldest one: a removed scope takes space, too.
    static let strangerLimit = 1_000
    /// The value that counts these ids.
    fileprivate static let strangers = (scope: "strangers", count: "handled")
    /// More than the number of entries that one message adds: so the next message gets greater numbers.
    private static let numbersPerMessage = unsavedLimit + 4

    /// No key has this name; see ``name(of:)``.
    fileprivate static let retainedName = "%retained"

    fileprivate static func scope(of id: PrinterID) -> String { "handled/\(id)" }

    private let stored: [String: JSONValue]
    private var nextNumber: Int
    private(set) var changes: [String: JSONValue?] = [:]

    init(_ record: SettingsRecord? = nil) {
        stored = record?.values ?? [:]
        nextNumber = ((record?.revision ?? 0) + 1) * Self.numbersPerMessage
    }

    /// The key of the last retained command, kept apart so that other commands cannot push it out.
    private(set) var retained: String? {
        get { value(Self.retainedName)?.stringValue }
        set { changes.updateValue(newValue.map(JSONValue.string), forKey: Self.retainedName) }
    }

    subscript(key: String) -> Entry? {
        find(key) ?? (retained?.utf8.elementsEqual(key.utf8) == true ? Entry(key: key) : nil)
    }

    /// Keeps a handled message; an entry of the same key is replaced only if that message was refused.
    mutating func insert(_ entry: Entry) {
        let known = find(entry.key)
        if let known, !known.isRefused { return }
        changes.updateValue(entry.stored(as: nextNumber), forKey: Self.name(of: entry.key))
        nextNumber += 1
        if known == nil { removeOldest() }
    }

    mutating func setRetained(_ key: String) {
        // Keep the previous key: after a crash, a broker may restore the previous command.
        if let retained, retained != key, find(retained) == nil { insert(Entry(key: retained)) }
        if retained != key { retained = key }
    }

    private func value(_ name: String) -> JSONValue? { changes[name] ?? stored[name] }

    private func find(_ key: String) -> Entry? {
        value(Self.name(of: key)).flatMap { Entry.read($0, of: key)?.entry }
    }

    private mutating func removeOldest() {
        guard stored.count + changes.count > Self.limit + Self.slack else { return }
        let numbers = stored.merging(changes.compactMapValues(\.self)) { $1 }
            .compactMapValues { Entry.read($0, of: "")?.number }
        let oldest = numbers.sorted { $0.value < $1.value }.prefix(max(0, numbers.count - Self.limit))
        for (name, _) in oldest { changes.updateValue(nil, forKey: name) }
    }

    /// The name of a message's value: its key, escaped where a store would refuse it as a name.
    private static func name(of key: String) -> String {
        let isPlain = key.utf8.allSatisfy { UInt8(ascii: "0")...UInt8(ascii: "z") ~= $0 || $0 == UInt8(ascii: "-") }
        return isPlain ? key : key.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? key
    }
}

/// A message as it is stored: its number, its status and the revision of its answer.
extension HandledCommands.Entry {
    /// Reads a stored message; nil for any other value.
    fileprivate static func read(_ value: JSONValue, of key: String) -> (number: Int, entry: Self)? {
        guard let fields = value.stringValue?.utf8.split(separator: UInt8(ascii: " ")), fields.count == 3,
            let number = Int(Substring(fields[0])), let revision = Int(Substring(fields[2]))
        else { return nil }
        let status = ConfigResult.Status(rawValue: String(Substring(fields[1])))
        return (number, Self(key: key, status: status, revision: revision))
    }

    /// A short text, because each message copies all of them.
    fileprivate func stored(as number: Int) -> JSONValue {
        .string("\(number) \(status?.rawValue ?? "-") \(revision)")
    }
}

extension SettingsTransaction {
    /// The messages of a printer that were handled, also after it was removed.
    func handledCommands(of id: PrinterID) throws -> HandledCommands {
        HandledCommands(try record(HandledCommands.scope(of: id)))
    }

    /// Keeps the handled messages of an id, unless it is one too many that never had a printer.
    mutating func keep(_ handled: HandledCommands, of id: PrinterID, at time: Date) throws {
        guard !handled.changes.isEmpty else { return }
        let (scope, author) = (HandledCommands.scope(of: id), ConfigSource.local.rawValue)
        if try record(PrinterSettings.scope(of: id)) == nil, try record(scope) == nil {
            let (strangers, name) = HandledCommands.strangers
            let count = try record(strangers)?.values[name]?.intValue ?? 0
            guard count < HandledCommands.strangerLimit else { return }
            try update(strangers, [name: .int(count + 1)], by: author, at: time)
        }
        try update(scope, handled.changes, by: author, at: time)
    }

    /// Adds the handled messages of a renamed printer to those that the new name has already.
    mutating func copyHandledCommands(of id: PrinterID, to name: PrinterID) throws {
        let scope = HandledCommands.scope(of: name)
        guard var record = try record(HandledCommands.scope(of: id)) else { return }
        // The retained command is on the topic of the old name.
        record.values[HandledCommands.retainedName] = nil
        let known = try self.record(scope)
        record.values.merge(known?.values ?? [:]) { renamed, _ in renamed }
        // The numbers of later messages follow from the revision.
        if let known { record.revision = max(record.revision, known.revision) + 1 }
        try copy(record, to: scope)
    }
}

extension SettingsRecord {
    /// The value of a printer's record that names the last message to change the printer, by the message's key.
    static let appliedName = "applied"

    package var appliedKey: String? { values[Self.appliedName]?.stringValue }
}
