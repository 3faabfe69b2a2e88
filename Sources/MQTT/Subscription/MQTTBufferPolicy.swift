/// What a subscription does with messages that its reader has not taken yet; memory is bounded always.
public enum MQTTBufferPolicy: Sendable, Hashable {
    /// Keeps the newest messages, at most so many, and counts the ones that it dropped.
    case newest(Int)
    /// Keeps only the newest message of each topic, for at most so many topics: for retained state, where
    /// what was replaced does not matter and is not counted as dropped.
    case newestPerTopic(Int)
    /// Keeps every message, and lets the broker wait: with so many waiting here, messages are not acknowledged, so that
    /// it may send ``MQTTConfiguration/maximumInFlight`` more at most, and nothing is read from it, until half of them
    /// are taken.
    ///
    /// The client's other subscriptions wait as well; keep-alive goes on. While the client expects answers of its own it
    /// has to read: messages at QoS 0, which a broker cannot be made to hold back, are dropped then, and counted, when
    /// there are 1,000 more than the limit. A broker that sends 1,000 more at QoS 1 and 2 than it may is left, with
    /// ``MQTTDisconnectReason/Code/protocolError``.
    case suspend(Int)
}
