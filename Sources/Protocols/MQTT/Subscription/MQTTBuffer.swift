/// How messages wait for the reader of a subscription, and when the broker is told that they have arrived.
public enum MQTTBuffer: Sendable, Hashable {
    /// Messages are acknowledged when they arrive.
    ///
    /// At most so many wait. The oldest are dropped then, and counted in ``MQTTSubscription/dropped``.
    case newest(Int)
    /// Messages are acknowledged when the reader has handled them, which is when it asks for more.
    ///
    /// While the reader handles them, the client reads nothing from the broker and sends nothing: other subscriptions
    /// get no messages, and publishes no answer. So the reader must not wait for ``MQTTClient/publish(_:)`` in between.
    /// If the reader takes longer than ``MQTTConfiguration/readerTimeout``, the connection is given up, and a broker
    /// that keeps the session delivers the messages again. If the subscription ends before its messages are
    /// handled, ``MQTTClient/run()`` throws ``MQTTError/Code/unhandledMessages``, and they come to the next run.
    case acknowledgedByReader
}
