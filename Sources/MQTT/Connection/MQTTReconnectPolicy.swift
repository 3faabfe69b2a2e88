/// How long a client waits between two attempts to connect.
public struct MQTTReconnectPolicy: Sendable, Hashable {
    /// The shortest pause.
    public var minimum: Duration
    /// The longest pause.
    public var maximum: Duration
    /// A connection that lasted so long makes the next pause a short one again.
    public var stableAfter: Duration

    /// Makes a policy: the ceiling doubles with each failure, the pause is random between minimum and ceiling.
    public init(
        minimum: Duration = .milliseconds(500),
        maximum: Duration = .seconds(60),
        stableAfter: Duration = .seconds(30)
    ) {
        self.minimum = minimum
        self.maximum = maximum
        self.stableAfter = stableAfter
    }
}
