/// What ``MQTTClient/publish(_:)`` does when ``MQTTConfiguration/outgoingQueueLimit`` messages wait already.
public enum MQTTQueuePolicy: Sendable, Hashable {
    /// It throws ``MQTTError/Code/queueFull``.
    case fail
    /// It waits like the others: there are never more messages than callers that wait.
    case suspend
    /// The newest message of a topic takes the place of one that still waits, whose publish throws
    /// ``MQTTError/Code/superseded``; for state, where only the last counts. Too many topics throw `queueFull`.
    case newestPerTopic
}

/// What ``MQTTClient/publish(_:)`` does while there is no connection.
public enum MQTTOfflinePolicy: Sendable, Hashable {
    /// It throws ``MQTTError/Code/notConnected``.
    case fail
    /// The message waits in the queue for the next connection, as do those that were not sent when one ended.
    case wait
}
