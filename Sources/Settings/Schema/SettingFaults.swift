/// All that is wrong with a patch, in the order of the paths.
public struct SettingFaults: Error, Sendable, Hashable, CustomStringConvertible {
    /// The faults; never empty.
    public let faults: [SettingFault]

    /// Collects faults.
    public init(_ faults: [SettingFault]) { self.faults = faults }

    /// All messages in one line.
    public var description: String { faults.map(\.description).joined(separator: "; ") }
}
