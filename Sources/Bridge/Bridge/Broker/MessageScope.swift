import MQTT

/// Which messages of a session this bridge handles: all of them, unless several bridges share printers.
struct MessageScope: Sendable {
    var contains: @Sendable (MQTTMessage) -> Bool = { _ in true }
    /// Throws if the session must be left to another bridge.
    ///
    /// A message that was read then is neither answered nor acknowledged, so that the broker sends it to the other bridge.
    var check: @Sendable () throws -> Void = {}
}
