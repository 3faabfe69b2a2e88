import Foundation
import Settings

/// The mark of the wish that the broker holds for a printer, kept apart from those of other wishes so that no number of
/// them pushes it out.
extension SettingsTransaction {
    private static let key = "mark"

    /// The mark; nil if no settled wish was ever seen to be retained.
    func standingWish(of id: PrinterID) throws -> String? {
        try record(PrinterSettings.wishScope(of: id))?.values[Self.key]?.stringValue
    }

    /// Remembers what the broker holds.
    mutating func rememberStandingWish(_ mark: String, of id: PrinterID, at time: Date) throws {
        let changes: [String: StoredValue?] = [Self.key: .string(mark)]
        try update(PrinterSettings.wishScope(of: id), changes, by: ConfigSource.local.rawValue, at: time)
    }
}

extension PrinterSettings {
    fileprivate static func wishScope(of id: PrinterID) -> String { "wish/\(id)" }
}
