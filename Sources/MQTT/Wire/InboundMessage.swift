/// A message of the broker that nobody has yet, and that was not acknowledged.
struct InboundMessage: Sendable, Hashable {
    let message: MQTTMessage
    /// Its packet identifier, 0 at QoS 0.
    let id: UInt16
    /// Those of the subscriptions that it matched, as far as the broker tells.
    var subscriptions: [UInt32] = []
}
