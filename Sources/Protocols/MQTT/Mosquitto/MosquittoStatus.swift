import CMosquitto
import Foundation
import Platform

/// The result of a call of libmosquitto.
struct MosquittoStatus: Hashable, CustomStringConvertible {
    let code: Int32
    /// `errno` right after the call; it has the error if the library returns `MOSQ_ERR_ERRNO`.
    let systemError: Int32

    static let success = MosquittoStatus(code: MOSQ_ERR_SUCCESS.rawValue, systemError: 0)

    /// Runs a call, and keeps its code and `errno`.
    static func of(_ call: () -> Int32) -> MosquittoStatus {
        errno = 0
        let code = call()
        return MosquittoStatus(code: code, systemError: errno)
    }

    /// CONN_PENDING, the only negative code here, is no failure.
    var isFailure: Bool { code > 0 }
    /// Whether the socket has nothing to read, or takes nothing more.
    var wouldBlock: Bool { systemError == EAGAIN || systemError == EWOULDBLOCK }

    /// Whether the connection must be closed; otherwise only the request failed.
    var isOfConnection: Bool {
        switch mosq_err_t(rawValue: code) {
        case MOSQ_ERR_NO_CONN, MOSQ_ERR_CONN_LOST, MOSQ_ERR_ERRNO, MOSQ_ERR_EAI, MOSQ_ERR_KEEPALIVE, MOSQ_ERR_PROTOCOL,
            MOSQ_ERR_MALFORMED_PACKET, MOSQ_ERR_TLS:
            isFailure
        default: false
        }
    }

    var isKeepAlive: Bool { code == MOSQ_ERR_KEEPALIVE.rawValue }

    /// Whether the library found that the broker violates MQTT.
    var isProtocolError: Bool {
        switch mosq_err_t(rawValue: code) {
        case MOSQ_ERR_PROTOCOL, MOSQ_ERR_MALFORMED_PACKET, MOSQ_ERR_INVAL, MOSQ_ERR_MALFORMED_UTF8,
            MOSQ_ERR_DUPLICATE_PROPERTY:
            isFailure
        default: false
        }
    }

    /// The words of the system or of the library, to be quoted in brackets.
    var description: String {
        if code == MOSQ_ERR_ERRNO.rawValue, systemError != 0 { return SystemFailure(systemError).description }
        return String(cString: mosquitto_strerror(code))
    }
}
