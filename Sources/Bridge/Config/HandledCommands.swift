import Foundation
import StoredSettings

/// The configuration messages of one printer that were handled; a message that comes again is compared with them.
///
/// Each has an idempotency key: its id, or else a keyed digest of its payload. They are kept as they are stored, in pages, so
/// that one more message costs one small value, however many are kept.
struct HandledCommands: Sendable, Hashable {
    /// One message, with its answer.
    struct Entry: Sendable, Hashable {
        var key: String
        /// Nil for messages of earlier versions, which did not keep answers.
        var status: ConfigResult.Status?
        var revision = 0

        /// Whether the message was valid, and refused all the same.
        ///
        /// Publishing it again may apply it, a replay does not.
        var isRefused: Bool {
            switch status {
            case .stale, .conflict, .configStorm, .forbidden: true
            case .applied, .unchanged, .ignored, .invalid, .failed, nil: false
            }
        }
    }

    /// How many messages are kept, at least.
    ///
    /// After a crash the broker sends again whatever it has no acknowledgement for. Of that, at most two batches of
    /// ``MQTT/MQTTConfiguration/maximumInFlight`` are committed: the last one, and the one before if the broker has not read
    /// its acknowledgements.
    static let limit = pageSize * (pageCount - 1)

    private static let pageSize = 16
    private static let pageCount = 16

    /// The values of the record that they are kept in: `retained`, and the pages.
    private var values: [String: SettingValue]
    /// What differs from the record.
    private(set) var changes: [String: SettingValue?] = [:]

    init(_ values: [String: SettingValue] = [:]) { self.values = values }

    /// The key of the retained command that was handled last, apart from the pages so that no number of other messages
    /// pushes it out.
    private(set) var retained: String? {
        get { values["retained"]?.stringValue }
        set { set("retained", newValue.map(SettingValue.string)) }
    }

    /// The answer to a message that was handled; nil if it is new.
    subscript(key: String) -> Entry? { recent(key) ?? (key == retained ? Entry(key: key) : nil) }

    /// Keeps a handled message.
    ///
    /// Replaces an existing entry only if that message was refused.
    mutating func insert(_ entry: Entry) {
        if let known = recent(entry.key) { return known.isRefused ? replace(entry) : () }
        splitList()
        var page = newestPage
        if page.entries.count >= Self.pageSize { page = Page(number: page.number + 1) }
        page.entries.append(entry.stored)
        set(Self.name(ofPage: page.number), page.stored)
    }

    private mutating func replace(_ entry: Entry) {
        for case (let name, .array(var list)) in values {
            guard let index = list.firstIndex(where: { Entry($0)?.key == entry.key }) else { continue }
            list[index] = entry.stored
            return set(name, .array(list))
        }
    }

    /// Stores the key of the command that the broker retains for the printer.
    mutating func setRetained(_ key: String) {
        // Keep the previous key: after a crash, a broker may restore the previous command.
        if let retained, retained != key, recent(retained) == nil { insert(Entry(key: retained)) }
        if retained != key { retained = key }
    }

    private func recent(_ key: String) -> Entry? {
        for case .array(let list) in values.values {
            for item in list {
                if case .array(let fields) = item, case .string(let text)? = fields.first, text == key {
                    return Entry(item)
                }
            }
        }
        return nil
    }

    private mutating func set(_ name: String, _ value: SettingValue?) {
        values[name] = value
        changes.updateValue(value, forKey: name)
    }
}

// MARK: - Pages

extension HandledCommands {
    /// Some messages in the order in which they were handled; the page with the greatest number is the newest.
    private struct Page {
        var number: Int
        var entries: [SettingValue] = []

        init(number: Int) { self.number = number }

        init?(_ value: SettingValue) {
            guard let list = value.arrayValue, let number = list.first?.intValue else { return nil }
            self.number = number
            entries = Array(list.dropFirst())
        }

        var stored: SettingValue { .array([.int(number)] + entries) }
    }

    private static func name(ofPage number: Int) -> String { "page\(number % pageCount)" }

    private var pages: [Page] { values.compactMap { $0.key.hasPrefix("page") ? Page($0.value) : nil } }

    private var newestPage: Page { pages.max { $0.number < $1.number } ?? Page(number: 0) }

    /// Divides the one list in which an earlier version kept them into pages.
    private mutating func splitList() {
        guard let list = values["recent"]?.arrayValue else { return }
        set("recent", nil)
        for item in list { if let entry = Entry(item) { insert(entry) } }
    }
}

extension HandledCommands.Entry {
    fileprivate init?(_ item: SettingValue) {
        guard let fields = item.arrayValue, let key = fields.first?.stringValue else { return nil }
        self.key = key
        status = fields.dropFirst().first?.stringValue.flatMap(ConfigResult.Status.init)
        revision = fields.dropFirst(2).first?.intValue ?? 0
    }

    fileprivate var stored: SettingValue { .array([.string(key), .string(status?.rawValue ?? ""), .int(revision)]) }
}

// MARK: - Storage

extension SettingsTransaction {
    /// The messages of a printer that were handled, also after it was removed.
    func handledCommands(of id: PrinterID) throws -> HandledCommands {
        if let record = try record(HandledCommands.scope(of: id)) { return HandledCommands(record.values) }
        // As version 0.1.0 kept them.
        var handled = HandledCommands()
        if let key = try record("wish/\(id)")?.values["mark"]?.stringValue { handled.setRetained(key) }
        let record = try record(PrinterSettings.scope(of: id)) ?? record("removed/\(id)")
        for key in record?.appliedKeys ?? [] { handled.insert(HandledCommands.Entry(key: key)) }
        return handled
    }

    mutating func keep(_ handled: HandledCommands, of id: PrinterID, at time: Date) throws {
        guard !handled.changes.isEmpty else { return }
        try update(HandledCommands.scope(of: id), handled.changes, by: ConfigSource.local.rawValue, at: time)
    }
}

extension SettingsRecord {
    /// Where the record of a printer has the key of the last message that changed it, beside the settings.
    static let appliedName = "applied"

    /// That key; of version 0.1.0, those of the last messages that were handled.
    var appliedKeys: [String] {
        guard let applied = values[Self.appliedName] else { return [] }
        return (applied.arrayValue ?? [applied]).compactMap(\.stringValue)
    }
}

extension HandledCommands {
    fileprivate static func scope(of id: PrinterID) -> String { "handled/\(id)" }
}
