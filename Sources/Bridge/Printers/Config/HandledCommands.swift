import Foundation
import StoredSettings

/// The last configuration messages of one printer that were handled; a message that comes again is compared with them.
///
/// Each has an idempotency key: its id, or else a keyed digest of its payload. They are numbered, and the record has one value for
/// each: the next message takes the place of the oldest one, so that it changes one value in the store.
struct HandledCommands: Sendable, Hashable {
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

    /// How many messages are kept.
    ///
    /// After a crash the broker repeats all messages without an acknowledgement. At most two batches of
    /// ``MQTT/MQTTConfiguration/maximumInFlight`` of them are committed: the last batch, and the one before if the broker
    /// has not read its acknowledgements.
    static let limit = 240

    fileprivate static let retainedName = "retained"

    fileprivate static func scope(of id: PrinterID) -> String { "handled/\(id)" }

    /// The values of the record that they are kept in: `retained`, and each message at its number modulo ``limit``.
    private var values: [String: SettingValue]
    private(set) var changes: [String: SettingValue?] = [:]

    init(_ values: [String: SettingValue] = [:]) { self.values = values }

    /// The key of the last retained command, kept apart so that other commands cannot push it out.
    private(set) var retained: String? {
        get { values[Self.retainedName]?.stringValue }
        set { set(Self.retainedName, newValue.map(SettingValue.string)) }
    }

    subscript(key: String) -> Entry? {
        find(key)?.entry ?? (retained?.utf8.elementsEqual(key.utf8) == true ? Entry(key: key) : nil)
    }

    /// Keeps a handled message; an entry of the same key is replaced only if that message was refused.
    mutating func insert(_ entry: Entry) {
        let number: Int
        if let known = find(entry.key) {
            guard known.entry.isRefused else { return }
            number = known.number
        } else {
            number = (values.values.lazy.compactMap(NumberedEntry.number).max() ?? -1) + 1
        }
        set("\(number % Self.limit)", NumberedEntry(number: number, entry: entry).stored)
    }

    mutating func setRetained(_ key: String) {
        // Keep the previous key: after a crash, a broker may restore the previous command.
        if let retained, retained != key, find(retained) == nil { insert(Entry(key: retained)) }
        if retained != key { retained = key }
    }

    private func find(_ key: String) -> NumberedEntry? {
        values.values.lazy.compactMap { NumberedEntry($0, of: key) }.first
    }

    private mutating func set(_ name: String, _ value: SettingValue?) {
        values[name] = value
        changes.updateValue(value, forKey: name)
    }
}

/// A message as it is stored: its number, its key, its status and the revision of its answer.
private struct NumberedEntry {
    var number: Int
    var entry: HandledCommands.Entry

    init(number: Int, entry: HandledCommands.Entry) { (self.number, self.entry) = (number, entry) }

    /// Reads the stored message with a key; nil for any other value.
    init?(_ value: SettingValue, of wanted: String) {
        // The key first: most values are other messages.
        guard case .array(let fields) = value, fields.count == 4, case .string(let key) = fields[1],
            wanted.utf8.elementsEqual(key.utf8), let number = Self.number(value)
        else { return nil }
        let status = fields[2].stringValue.flatMap(ConfigResult.Status.init)
        self.init(number: number, entry: .init(key: key, status: status, revision: fields[3].intValue ?? 0))
    }

    /// The number of a stored message; nil for any other value.
    static func number(_ value: SettingValue) -> Int? {
        guard case .array(let fields) = value, fields.count == 4, case .int(let number) = fields[0],
            (0..<Int.max).contains(number)
        else { return nil }
        return number
    }

    var stored: SettingValue {
        .array([
            .int(number), .string(entry.key), entry.status.map { .string($0.rawValue) } ?? .null, .int(entry.revision),
        ])
    }
}

extension SettingsTransaction {
    /// The messages of a printer that were handled, also after it was removed.
    func handledCommands(of id: PrinterID) throws -> HandledCommands {
        HandledCommands(try record(HandledCommands.scope(of: id))?.values ?? [:])
    }

    mutating func keep(_ handled: HandledCommands, of id: PrinterID, at time: Date) throws {
        guard !handled.changes.isEmpty else { return }
        try update(HandledCommands.scope(of: id), handled.changes, by: ConfigSource.local.rawValue, at: time)
    }

    /// Lets a printer that is renamed know the messages that it has handled, unless one of its new name had handled some.
    mutating func copyHandledCommands(of id: PrinterID, to name: PrinterID, at time: Date) throws {
        let scope = HandledCommands.scope(of: name)
        guard try record(scope) == nil, let record = try record(HandledCommands.scope(of: id)) else { return }
        // What the broker retains is on the topic of the old name.
        let values = record.values.filter { $0.key != HandledCommands.retainedName }
        try update(scope, values.mapValues(SettingValue?.some), by: ConfigSource.local.rawValue, at: time)
    }
}

extension SettingsRecord {
    /// Where the record of a printer has the key of the last message that changed it, beside the settings.
    static let appliedName = "applied"

    package var appliedKey: String? { values[Self.appliedName]?.stringValue }
}
