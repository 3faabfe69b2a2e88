/// The message that the broker publishes when this client goes away without saying so.
public struct MQTTWill: Sendable, Hashable {
    /// What is published.
    public var message: MQTTMessage
    /// How long the broker waits for the client to come back first, in whole seconds; MQTT 5 only, and at most
    /// as long as the session lives (``MQTTConfiguration/sessionExpiry``).
    public var delay: Duration

    /// Makes a will.
    public init(message: MQTTMessage, delay: Duration = .zero) { (self.message, self.delay) = (message, delay) }
}
