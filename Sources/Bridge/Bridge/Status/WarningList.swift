package import JSON

/// What a person should know of the bridge: a few of each kind.
package struct WarningList: Sendable, Hashable {
    /// The most warnings of one kind; more would fill the topic and tell nothing new.
    static let limitOfAKind = 10

    private var warnings: Set<BridgeWarning> = []

    package init(_ warnings: [BridgeWarning] = []) { for warning in warnings { insert(warning) } }

    /// By code, then by message.
    package var sorted: [BridgeWarning] { warnings.sorted() }

    package var document: JSONValue {
        .array(
            sorted.map { ["code": .string($0.code.rawValue), "message": .string($0.message), "hint": .text($0.hint)] }
        )
    }

    /// Adds a warning, if there is room for another one of its kind.
    mutating func insert(_ warning: BridgeWarning) {
        let others = warnings.filter { $0.code == warning.code }
        let isKnown = warning.subject != nil && others.contains { $0.subject == warning.subject }
        if others.count < Self.limitOfAKind, !isKnown { warnings.insert(warning) }
    }

    mutating func remove(_ warning: BridgeWarning) { warnings.remove(warning) }

    mutating func remove(_ codes: Set<BridgeWarning.Code>) {
        warnings = warnings.filter { !codes.contains($0.code) }
    }
}
