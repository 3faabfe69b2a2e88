/// How messages wait for the reader of a subscription, and when the broker is told that they have arrived.
public enum MQTTBuffer: Sendable, Hashable {
    /// Messages are acknowledged when they arrive.
    ///
    /// At most so many wait. The oldest are dropped then, and counted in ``MQTTSubscription/dropped``.
    case newest(Int)
    /// Messages are acknowledged when the reader has handled them, which is when it asks for more.
    ///
    /// While it handles them, the client reads nothing from the broker and sends nothing: neither other subscriptions
    /// get messages nor publishes are answered. A reader must therefore not wait for ``MQTTClient/publish(_:)`` between two
    /// messages. It has ``MQTTConfiguration/readerTimeout``. If it takes longer, the
    /// connection is given up, and a broker that keeps the session delivers the messages again. If the subscription ends
    /// before they are handled, ``MQTTClient/run()`` throws ``MQTTError/Code/unhandledMessages``, and they come to the next run.
    case acknowledgedByReader
}
