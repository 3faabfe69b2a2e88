/// How much JSON is read from a sender that is not trusted.
public struct JSONLimits: Sendable, Hashable {
    /// The most bytes.
    public var bytes: Int
    /// The most lists and objects inside one another, at most 512; 1 permits one level only.
    public var depth: Int

    /// 64 KiB and 32 levels, unless told.
    public init(bytes: Int = 65_536, depth: Int = 32) {
        self.bytes = bytes
        self.depth = min(depth, 512)
    }

    /// What was written by a store was accepted before, and is read whole.
    package static let stored = JSONLimits(bytes: .max, depth: 512)
}
