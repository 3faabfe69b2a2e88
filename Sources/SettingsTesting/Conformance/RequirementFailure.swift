/// Why a store is not what every store must be.
public struct RequirementFailure: Error, Sendable, Hashable, CustomStringConvertible {
    /// What was expected, and what was found; holds no secret.
    public let reason: String

    init(_ reason: String) { self.reason = reason }

    /// The reason.
    public var description: String { reason }
}

/// Throws when two values differ; `what` begins the sentence.
func require<Value: Equatable>(_ what: String, _ found: Value, equals expected: Value) throws {
    guard found != expected else { return }
    throw RequirementFailure("\(what) must be \(expected), and is \(found)")
}

/// Throws when two values that may be missing differ; `what` begins the sentence.
func require<Value: Equatable>(_ what: String, _ found: Value?, equals expected: Value?) throws {
    guard found != expected else { return }
    let (found, expected) = (found.map { "\($0)" } ?? "nothing", expected.map { "\($0)" } ?? "nothing")
    throw RequirementFailure("\(what) must be \(expected), and is \(found)")
}

/// Throws when something does not hold.
func require(_ condition: Bool, _ what: @autoclosure () -> String) throws {
    guard !condition else { return }
    throw RequirementFailure(what())
}
