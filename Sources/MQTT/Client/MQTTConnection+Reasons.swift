import Foundation

/// Why a connection ended, in words.
extension MQTTConnection {
    private var usesTLS: Bool { channel?.usesTLS == true }

    /// The broker closed the connection without a word.
    var endOfInput: MQTTDisconnectReason {
        switch link {
        case .open: MQTTDisconnectReason(.connectionLost, "The connection to the broker broke.")
        case .greeted:
            MQTTDisconnectReason(.connectionLost, "The broker closed the connection instead of answering CONNECT.")
        default:
            MQTTDisconnectReason(
                usesTLS ? .tlsFailed : .connectionLost,
                "The broker closed the connection\(usesTLS ? " during the TLS handshake" : "")."
            )
        }
    }

    /// The socket failed.
    func failure(_ code: Int32) -> MQTTDisconnectReason {
        let problem = SystemError(code: code)
        switch link {
        case .connecting where usesTLS && isEstablished || usesTLS && code == ECONNRESET:
            return MQTTDisconnectReason(
                .tlsFailed,
                "The broker broke the TLS handshake off, is it a port for TLS? \(problem)."
            )
        case .none, .connecting: return unreachable("\(problem)")
        case .greeted, .open: return endOfInput
        }
    }

    func unreachable(_ problem: String) -> MQTTDisconnectReason {
        MQTTDisconnectReason(.unreachable, "The broker cannot be reached: \(problem).")
    }

    /// The broker said DISCONNECT.
    func closed(with reason: MQTTReasonCode) -> MQTTDisconnectReason {
        MQTTDisconnectReason(.closedByBroker, "The broker ended the connection: \(reason).", reason: reason)
    }

    /// libmosquitto gave up.
    func reason(for status: MosquittoStatus) -> MQTTDisconnectReason {
        switch status.kind {
        case .keepAlive:
            MQTTDisconnectReason(.keepAliveTimeout, "The broker was silent for longer than keep-alive allows.")
        case .protocol, .invalid:
            MQTTDisconnectReason(.protocolError, "The broker breaks the protocol: \(status).")
        default: endOfInput
        }
    }
}
