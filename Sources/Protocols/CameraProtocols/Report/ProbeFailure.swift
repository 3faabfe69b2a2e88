package struct ProbeFailure: Error, Sendable, Hashable, Codable, CustomStringConvertible {
    package var reason: ProbeReason
    package var stage: ProbeStage
    /// One sentence for people, without user name or password.
    package var message: String
    /// What is behind it; nil where the reason says it all.
    package var cause: ProbeCause?

    package init(reason: ProbeReason, stage: ProbeStage, message: String, cause: ProbeCause? = nil) {
        self.reason = reason
        self.stage = stage
        self.message = message
        self.cause = cause
    }

    package var description: String { "\(reason.rawValue) at \(stage.rawValue): \(message)" }
}

/// What went wrong, wherever it did: a failure without its stage.
struct ProbeFault: Error, Sendable, Hashable {
    var reason: ProbeReason
    var message: String
    /// Nil where the reason says it all.
    var cause: ProbeCause?

    init(_ reason: ProbeReason, _ message: String, _ cause: ProbeCause? = nil) {
        self.reason = reason
        self.message = message
        self.cause = cause
    }
}

/// How a connection ended without our doing.
enum ConnectionEnd: Sendable, Hashable {
    /// The server closed it in order.
    case closed
    /// The server, or something on the way, reset it.
    case reset

    /// What the server did, for people.
    var verb: String { self == .reset ? "reset" : "closed" }
}
