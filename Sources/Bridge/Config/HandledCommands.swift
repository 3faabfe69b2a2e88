import Foundation
import Settings

/// The configuration messages of one printer that were handled; a message that comes again is compared with them.
///
/// Each has an idempotency key: its id, or else a keyed digest of its payload.
struct HandledCommands: Sendable, Hashable {
    /// One message, with its answer.
    struct Entry: Sendable, Hashable {
        var key: String
        /// Nil for messages of earlier versions, which did not keep answers.
        var status: ConfigResult.Status?
        var revision = 0
    }

    /// How many messages are kept.
    ///
    /// After a crash the broker sends again whatever it has no acknowledgement for. Of that, at most two batches are
    /// committed (``ConfigInbox/batch``): the last one, and the one before if the broker has not read its acknowledgements.
    static let limit = 256

    /// The key of the retained command that was handled last, apart from ``recent`` so that no number of other messages
    /// pushes it out.
    private(set) var retained: String?
    /// The last messages, oldest first.
    private(set) var recent: [Entry] = []

    init() {}

    /// The answer to a message that was handled; nil if it is new.
    subscript(key: String) -> Entry? {
        recent.last { $0.key == key } ?? (key == retained ? Entry(key: key) : nil)
    }

    /// Keeps a message that was handled.
    mutating func insert(_ entry: Entry) {
        recent.removeAll { $0.key == entry.key }
        recent = (recent + [entry]).suffix(Self.limit)
    }

    /// The broker holds this message for the printer.
    mutating func setRetained(_ key: String) {
        // After a crash, a broker may bring the one before back.
        if let retained, retained != key, self[retained]?.status == nil { insert(Entry(key: retained)) }
        retained = key
    }
}

extension SettingsTransaction {
    /// The messages of a printer that were handled, also after it was removed.
    func handledCommands(of id: PrinterID) throws -> HandledCommands {
        if let record = try record(HandledCommands.scope(of: id)) { return HandledCommands(record.values) }
        // As version 0.1.0 kept them.
        var handled = HandledCommands()
        if let key = try record("wish/\(id)")?.values["mark"]?.stringValue { handled.setRetained(key) }
        let record = try record(PrinterSettings.scope(of: id)) ?? record("removed/\(id)")
        for key in record?.applied ?? [] { handled.insert(HandledCommands.Entry(key: key)) }
        return handled
    }

    mutating func keep(_ handled: HandledCommands, of id: PrinterID, at time: Date) throws {
        try update(HandledCommands.scope(of: id), handled.values, by: ConfigSource.local.rawValue, at: time)
    }
}

extension HandledCommands {
    fileprivate static func scope(of id: PrinterID) -> String { "handled/\(id)" }

    fileprivate init(_ values: [String: StoredValue]) {
        retained = values["retained"]?.stringValue
        recent = (values["recent"]?.arrayValue ?? []).compactMap { item in
            guard let fields = item.arrayValue, let key = fields.first?.stringValue else { return nil }
            let status = fields.dropFirst().first?.stringValue.flatMap(ConfigResult.Status.init)
            return Entry(key: key, status: status, revision: fields.dropFirst(2).first?.intValue ?? 0)
        }
    }

    fileprivate var values: [String: StoredValue?] {
        let list = recent.map {
            StoredValue.array([.string($0.key), .string($0.status?.rawValue ?? ""), .int($0.revision)])
        }
        return ["retained": retained.map(StoredValue.string), "recent": .array(list)]
    }
}
