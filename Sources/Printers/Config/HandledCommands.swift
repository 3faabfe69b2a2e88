import Foundation
import StoredSettings

/// The configuration messages of one printer that were handled; a message that comes again is compared with them.
///
/// Each has an idempotency key: its id, or else a keyed digest of its payload. The entries are text, divided into pages: a new
/// entry rewrites one small page, and a search reads few blocks of memory.
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

    /// The value with the key of the retained command.
    fileprivate static let retainedName = "retained"

    /// The values of the record that they are kept in: `retained`, and the pages.
    private var values: [String: SettingValue]
    /// What differs from the record.
    private(set) var changes: [String: SettingValue?] = [:]

    init(_ values: [String: SettingValue] = [:]) {
        self.values = values
        convertLists()
    }

    /// The key of the retained command that was handled last, apart from the pages so that no number of other messages
    /// pushes it out.
    private(set) var retained: String? {
        get { values[Self.retainedName]?.stringValue }
        set { set(Self.retainedName, newValue.map(SettingValue.string)) }
    }

    /// The answer to a message that was handled; nil if it is new.
    subscript(key: String) -> Entry? {
        find(key).map { Entry(key: key, answer: $0.answer) } ?? (key == retained ? Entry(key: key) : nil)
    }

    /// Keeps a handled message.
    ///
    /// Replaces an existing entry only if that message was refused.
    mutating func insert(_ entry: Entry) {
        if let (name, answer) = find(entry.key) {
            guard Entry(key: entry.key, answer: answer).isRefused else { return }
            var text = answer.base
            text.replaceSubrange(answer.startIndex..<answer.endIndex, with: entry.answer)
            return set(name, .string(text))
        }
        var page = newestPage
        if page.isFull { page = Page(number: page.number + 1) }
        // The escaped key has no line break and no tabulator.
        page.text += "\(entry.key.jsonEscaped)\t\(entry.answer)\n"
        set("\(Page.prefix)\(page.number % Self.pageCount)", .string(page.text))
    }

    /// Stores the key of the command that the broker retains for the printer.
    mutating func setRetained(_ key: String) {
        // Keep the previous key: after a crash, a broker may restore the previous command.
        if let retained, retained != key, find(retained) == nil { insert(Entry(key: retained)) }
        if retained != key { retained = key }
    }

    /// The answer to a message as it stands on its page, with the name of the page.
    private func find(_ key: String) -> (page: String, answer: Substring)? {
        let start = "\(key.jsonEscaped)\t"
        for case (let name, .string(let text)) in values where name.hasPrefix(Page.prefix) {
            if let answer = text.line(after: start) { return (name, answer) }
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
    ///
    /// The first line of its text is the number. Each other line is a message: key, status and revision.
    private struct Page {
        /// What the names of pages begin with.
        static let prefix = "page"

        let number: Int
        var text: String

        var isFull: Bool { text.utf8.count { $0 == UInt8(ascii: "\n") } > pageSize }

        init(number: Int) { (self.number, text) = (number, "\(number)\n") }

        init?(_ value: SettingValue) {
            guard case .string(let text) = value, text.hasSuffix("\n"), let number = Int(text.prefix { $0 != "\n" }),
                (0..<Int.max).contains(number)
            else { return nil }
            (self.number, self.text) = (number, text)
        }
    }

    private var newestPage: Page {
        let pages = values.compactMap { $0.key.hasPrefix(Page.prefix) ? Page($0.value) : nil }
        return pages.max { $0.number < $1.number } ?? Page(number: 0)
    }

    /// Converts the lists of earlier versions: one list `recent`, or pages that are lists and begin with their number.
    private mutating func convertLists() {
        let lists = values.compactMap { name, value in
            name == "recent" || name.hasPrefix(Page.prefix) ? value.arrayValue.map { (name, $0) } : nil
        }
        guard !lists.isEmpty else { return }
        for (name, _) in lists { set(name, nil) }
        for (_, list) in lists.sorted(by: { ($0.1.first?.intValue ?? -1) < ($1.1.first?.intValue ?? -1) }) {
            for case .array(let fields) in list {
                guard let key = fields.first?.stringValue else { continue }
                let status = fields.dropFirst().first?.stringValue.flatMap(ConfigResult.Status.init)
                insert(Entry(key: key, status: status, revision: fields.dropFirst(2).first?.intValue ?? 0))
            }
        }
    }
}

extension HandledCommands.Entry {
    /// Reads status and revision, as ``answer`` writes them.
    fileprivate init(key: String, answer: Substring) {
        let fields = answer.split(separator: "\t", omittingEmptySubsequences: false)
        let status = fields.first.flatMap { ConfigResult.Status(rawValue: String($0)) }
        self.init(key: key, status: status, revision: fields.last.flatMap { Int($0) } ?? 0)
    }

    fileprivate var answer: String { "\(status?.rawValue ?? "")\t\(revision)" }
}

extension String {
    /// The rest of the line that begins with `start`, after the first line; nil if there is none.
    fileprivate func line(after start: String) -> Substring? {
        var (text, start) = (self, start)
        // Bytes, since a search that respects Unicode takes much longer.
        let end = text.withUTF8 { text in start.withUTF8 { Self.end(of: $0, beginningALineOf: text) } }
        return end.map { self[utf8.index(startIndex, offsetBy: $0)...].prefix { $0 != "\n" } }
    }

    private static func end(
        of start: UnsafeBufferPointer<UInt8>,
        beginningALineOf text: UnsafeBufferPointer<UInt8>
    ) -> Int? {
        guard let base = text.baseAddress, let start = start.baseAddress.map({ (address: $0, count: start.count) })
        else {
            return nil
        }
        var line = base
        let end = base + text.count
        while let newline = memchr(line, CInt(UInt8(ascii: "\n")), end - line) {
            line = UnsafePointer(newline.assumingMemoryBound(to: UInt8.self)) + 1
            if end - line >= start.count, memcmp(line, start.address, start.count) == 0 {
                return line - base + start.count
            }
        }
        return nil
    }
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

    /// That key; of version 0.1.0, those of the last messages that were handled.
    package var appliedKeys: [String] {
        guard let applied = values[Self.appliedName] else { return [] }
        return (applied.arrayValue ?? [applied]).compactMap(\.stringValue)
    }
}

extension HandledCommands {
    fileprivate static func scope(of id: PrinterID) -> String { "handled/\(id)" }
}
