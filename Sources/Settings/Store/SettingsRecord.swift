#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// What is stored for one scope, such as one printer or one document.
public struct SettingsRecord: Sendable, Hashable {
    /// The values that were set; what is absent has its default.
    public var values: [String: SettingValue]
    /// Grows by one with every change of a value; never goes back, not even when the scope was removed and made again.
    public var revision: Int
    /// When a value last changed, in whole milliseconds.
    public var updatedAt: Date
    /// Who changed it, in the words of the one who did.
    public var updatedBy: String

    /// Makes a record from its parts.
    public init(values: [String: SettingValue], revision: Int, updatedAt: Date, updatedBy: String) {
        self.values = values
        self.revision = revision
        self.updatedAt = updatedAt
        self.updatedBy = updatedBy
    }
}
