/// Why and where a probe failed.
public struct ProbeFailure: Error, Sendable, Hashable, CustomStringConvertible {
    /// The kind of failure.
    public var reason: ProbeReason
    /// The stage that failed.
    public var stage: ProbeStage
    /// One sentence for people, without user name or password.
    public var message: String

    /// A failure of `reason` at `stage`.
    public init(reason: ProbeReason, stage: ProbeStage, message: String) {
        self.reason = reason
        self.stage = stage
        self.message = message
    }

    /// Reason, stage and message in one line.
    public var description: String { "\(reason.rawValue) at \(stage.rawValue): \(message)" }
}
