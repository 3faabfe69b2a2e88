import NIOCore
import NIOHTTP1
import NIOPosix
package import OpenSSL

/// Why a request got no answer.
///
/// It does not name the request's target, which may hold a secret.
package struct HTTPFailure: Error, Sendable, Hashable, CustomStringConvertible {
    package enum Code: Sendable, Hashable {
        case badAddress
        /// The machine says that nothing listens on the port.
        case refused
        case unreachable
        /// TLS failed, see ``HTTPFailure/tls``.
        case insecure
        /// The connection ended before the answer did.
        case closed
        case malformed
        case tooLarge
        case timedOut
    }

    package let code: Code
    package let message: String
    /// Whether the server may have read the request.
    package let isSent: Bool
    package let tls: TLSFailure?

    package var description: String { message }

    init(_ code: Code, _ message: String, isSent: Bool = false, tls: TLSFailure? = nil) {
        self.code = code
        self.message = message
        self.isSent = isSent
        self.tls = tls
    }

    init(_ error: any Error, isSent: Bool) {
        switch error {
        case let error as HTTPFailure: self = error
        case let error as TLSFailure: self.init(.insecure, error.message, isSent: isSent, tls: error)
        case let error as NIOConnectionError:
            let isRefused =
                !error.connectionErrors.isEmpty
                && error.connectionErrors.allSatisfy { ($0.error as? IOError)?.errnoCode == ECONNREFUSED }
            self.init(isRefused ? .refused : .unreachable, "no connection to \(error.host):\(error.port)")
        case is HTTPParserError: self.init(.malformed, "the answer is not HTTP, or too large", isSent: isSent)
        case let error as ChannelError where [.eof, .ioOnClosedChannel, .alreadyClosed].contains(error):
            self.init(.closed, "the connection was closed before the answer", isSent: isSent)
        default: self.init(.closed, "the connection failed: \(error)", isSent: isSent)
        }
    }
}
