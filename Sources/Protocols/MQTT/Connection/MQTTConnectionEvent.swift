/// A change of the connection, in the order in which they happen.
public enum MQTTConnectionEvent: Sendable, Hashable {
    /// The broker accepted this client; publishes are taken from now on.
    case connected(MQTTSession)
    /// The connection ended; the next attempt follows after the pause, none when nil.
    case disconnected(MQTTDisconnectReason, retryIn: Duration?)
    /// An attempt to connect failed; the next one follows after the pause, none when nil.
    case connectFailed(MQTTDisconnectReason, retryIn: Duration?)

    /// This event, with what TLS found.
    func with(_ failure: TLSFailure?, hadTLS: Bool) -> Self {
        func completed(_ reason: MQTTDisconnectReason) -> MQTTDisconnectReason {
            var reason = reason
            (reason.tlsFailure, reason.hadTLS) = (failure, hadTLS)
            return reason
        }
        return switch self {
        case .connected: self
        case .disconnected(let reason, let pause): .disconnected(completed(reason), retryIn: pause)
        case .connectFailed(let reason, let pause): .connectFailed(completed(reason), retryIn: pause)
        }
    }
}
