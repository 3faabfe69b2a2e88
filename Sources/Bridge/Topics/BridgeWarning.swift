/// Something about the bridge that a person should know, listed in `B/bridge/info`.
public struct BridgeWarning: Sendable, Hashable, Comparable {
    /// What it is about.
    public enum Code: String, Sendable, Hashable {
        /// Access codes are not published, because the way to the broker is in clear.
        case secretWithheld = "secret_withheld"
        /// The broker refused a message.
        case publishRefused = "publish_refused"
        /// The broker refused a subscription.
        case subscriptionRefused = "subscription_refused"
        /// Another client uses the same client id.
        case clientIDInUse = "client_id_in_use"
        /// Messages came faster than they could be handled.
        case messagesDropped = "messages_dropped"
    }

    /// A word for programs.
    public var code: Code
    /// What to do about it.
    public var message: String

    /// Describes a warning.
    public init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    /// By code, then by message.
    public static func < (left: Self, right: Self) -> Bool {
        (left.code.rawValue, left.message) < (right.code.rawValue, right.message)
    }
}
