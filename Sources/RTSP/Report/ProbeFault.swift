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
