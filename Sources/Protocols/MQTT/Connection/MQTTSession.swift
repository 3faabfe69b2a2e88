/// What the broker granted with its CONNACK (MQTT 5.0, section 3.2.2).
///
/// The defaults hold for limits that a CONNACK does not name.
public struct MQTTSession: Sendable, Hashable {
    /// Which connection of the client this is, counted from 1; see ``MQTTMessage/connection``.
    public var number: UInt64 = 0
    /// Whether the broker still had this client's earlier session, with its subscriptions.
    public var isResumed = false
    /// The largest packet that the broker takes, in bytes; nil: no limit known.
    public var maximumPacketSize: Int?
    /// How many QoS 1 and 2 messages the broker takes unacknowledged.
    package var receiveMaximum = 65_535
    /// Whether the broker keeps retained messages.
    public var isRetainAvailable = true
    /// The best quality of service that the broker offers.
    public var maximumQoS = MQTTQoS.exactlyOnce
    /// The keep-alive in force.
    public var keepAlive: Duration
    /// Whether the broker tells which subscription a message matched.
    package var hasSubscriptionIdentifiers: Bool

    /// Why the broker would end the connection over a subscription (MQTT 5.0, section 3.2.2.3); nil if it would not.
    func refusal(of subscription: MQTTSubscriptionOptions) -> MQTTError? {
        if exceedsLimit(subscription.filter.text.utf8.count + Self.subscribeOverhead) {
            return MQTTError(.subscriptionUnavailable, "The filter is larger than the broker accepts.")
        }
        return nil
    }

    /// The most bytes of a SUBSCRIBE beside its filter (MQTT 5.0, section 3.8).
    private static let subscribeOverhead = 24

    /// Why the broker would end the connection over a message; nil if it would not.
    func refusal(of message: MQTTMessage) -> MQTTError? {
        if message.retain, !isRetainAvailable {
            return MQTTError(.retainUnavailable, "The broker does not keep retained messages.")
        }
        if message.qos > maximumQoS {
            return MQTTError(.qosUnavailable, "The broker does not offer QoS \(message.qos.rawValue).")
        }
        if exceedsLimit(message.sizeLimit) {
            return MQTTError(.tooLarge, "The message is larger than the broker accepts.")
        }
        return nil
    }

    /// Checked here, because libmosquitto 2.0.11 counts one byte too few, and the broker would end the connection.
    private func exceedsLimit(_ size: Int) -> Bool { maximumPacketSize.map { size > $0 } ?? false }
}
