public import Platform

/// What is stored for one scope, such as one printer or one document.
public struct SettingsRecord: Sendable, Hashable {
    /// The values that were set; what is absent has its default.
    public var values: [String: JSONValue]
    /// The stored bytes of secrets that do not open, although the store has the right key.
    ///
    /// They have no value, and stay stored until somebody sets or removes them.
    public var damaged: [String: [UInt8]]
    /// Grows by one with every change of a value; never goes back, not even when the scope was removed and made again.
    public var revision: Int
    /// When a value last changed, in whole milliseconds.
    public var updatedAt: Date
    /// Who changed it: the author of the transaction.
    public var updatedBy: String

    /// Makes a record from its parts.
    public init(
        values: [String: JSONValue],
        damaged: [String: [UInt8]] = [:],
        revision: Int,
        updatedAt: Date,
        updatedBy: String
    ) {
        self.values = values
        self.damaged = damaged
        self.revision = revision
        self.updatedAt = updatedAt
        self.updatedBy = updatedBy
    }

    /// Whether a stored number can be a revision: JSON has it exactly, and it leaves room to count on.
    package static func isRevision(_ number: Int) -> Bool { (0...1 << 53).contains(number) }
}

extension Date {
    /// The moment as stores write it: whole milliseconds since 1970, the nearest that an `Int64` holds.
    package var storedMilliseconds: Int64 {
        let milliseconds = (timeIntervalSince1970 * 1000).rounded()
        return Int64(exactly: milliseconds) ?? (milliseconds < 0 ? .min : .max)
    }

    package init(storedMilliseconds: Int64) { self.init(timeIntervalSince1970: Double(storedMilliseconds) / 1000) }
}
