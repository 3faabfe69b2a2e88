/// What a subscription does with messages that its reader has not taken yet; memory is bounded always.
public enum MQTTBufferPolicy: Sendable, Hashable {
    /// Keeps the newest messages, at most so many, and counts the ones that it dropped.
    case newest(Int)
    /// Keeps only the newest message of each topic, for at most so many topics: for retained state, where
    /// what was replaced does not matter and is not counted as dropped.
    case newestPerTopic(Int)
}
