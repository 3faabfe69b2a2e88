/// What a subscription does with messages that its reader has not taken yet; memory is bounded always.
public enum MQTTBufferPolicy: Sendable, Hashable {
    /// Keeps the newest messages, at most so many, and counts the ones that it dropped.
    case newest(Int)
    /// Keeps only the newest message of each topic, for at most so many topics: for retained state, where
    /// what was replaced does not matter and is not counted as dropped.
    case newestPerTopic(Int)
    /// Keeps every message: with so many waiting, nothing more is read from the broker until half of them are taken.
    ///
    /// The client's other subscriptions and its publishes wait as well; keep-alive goes on. What came in one piece
    /// with the last message, 64 KiB at most, is kept in addition.
    case suspend(Int)
}
