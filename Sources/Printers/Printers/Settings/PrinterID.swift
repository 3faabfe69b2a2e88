/// The name of a printer in topics, commands and the store: `[a-z0-9_-]{1,64}`.
public struct PrinterID: Sendable, Hashable, Comparable, CustomStringConvertible {
    /// The name itself.
    public let description: String

    /// Checks a name; nil when it could not stand in a topic.
    public init?(_ text: some StringProtocol) {
        let allowed = text.unicodeScalars.allSatisfy {
            ("a"..."z").contains($0) || ("0"..."9").contains($0) || ["_", "-"].contains($0)
        }
        guard allowed, (1...64).contains(text.utf8.count), text != Self.reserved else { return nil }
        description = String(text)
    }

    /// What a name has to look like, for error messages.
    public static let rule = "1 to 64 of a-z, 0-9, _ and -, and not '\(reserved)'"

    /// `B/bridge/…` belongs to the bridge itself.
    private static let reserved = "bridge"

    /// Alphabetical order.
    public static func < (left: Self, right: Self) -> Bool { left.description < right.description }
}
