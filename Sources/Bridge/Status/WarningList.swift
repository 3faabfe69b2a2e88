/// What a person should know of the bridge: a few of each kind.
public struct WarningList: Sendable, Hashable {
    /// One of each kind in many is as good as all of them, and does not fill the topic.
    static let limitOfAKind = 10

    private var warnings: Set<BridgeWarning> = []

    /// Makes a list.
    public init(_ warnings: [BridgeWarning] = []) { for warning in warnings { insert(warning) } }

    /// By code, then by message.
    package var sorted: [BridgeWarning] { warnings.sorted() }

    /// Adds a warning.
    ///
    /// - Returns: Whether it is new, and there is room for another one of its kind.
    @discardableResult
    mutating func insert(_ warning: BridgeWarning) -> Bool {
        guard warnings.count(where: { $0.code == warning.code }) < Self.limitOfAKind else { return false }
        return warnings.insert(warning).inserted
    }

    /// Removes all of some kinds.
    mutating func remove(_ codes: Set<BridgeWarning.Code>) { warnings = warnings.filter { !codes.contains($0.code) } }
}
