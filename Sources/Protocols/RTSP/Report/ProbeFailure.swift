/// Why and where a probe failed.
package struct ProbeFailure: Error, Sendable, Hashable, CustomStringConvertible {
    /// The kind of failure.
    package var reason: ProbeReason
    /// The stage that failed.
    package var stage: ProbeStage
    /// One sentence for people, without user name or password.
    package var message: String
    /// What is behind it; nil where the reason says it all.
    package var cause: ProbeCause?

    /// A failure of `reason` at `stage`.
    package init(reason: ProbeReason, stage: ProbeStage, message: String, cause: ProbeCause? = nil) {
        self.reason = reason
        self.stage = stage
        self.message = message
        self.cause = cause
    }

    /// Reason, stage and message in one line.
    package var description: String { "\(reason.rawValue) at \(stage.rawValue): \(message)" }
}

/// What went wrong, wherever it did: a failure without its stage.
struct ProbeFault: Error, Sendable, Hashable {
    var reason: ProbeReason
    /// One sentence for people.
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
