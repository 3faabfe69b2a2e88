import HTTP
import OpenSSL

extension EtcdError {
    init(_ failure: HTTPFailure) {
        // A member closes the connection if only one side uses TLS.
        let advice = "if that is always so, check http or https in its address"
        switch (failure.code, failure.tls?.detail) {
        case (.refused, _): self.init(.down, failure.message)
        case (.insecure, .refused):
            // The member has read the certificate, but no request.
            self.init(.unreachable, "the member does not accept the client certificate: check it and its key")
        case (.insecure, .expired), (.insecure, .unknownIssuer):
            self.init(.unreachable, "the member's certificate has expired, or its authority is not in the CA file")
        case (.insecure, _) where !failure.isSent:
            self.init(.unreachable, "no secure connection (check http or https in its address): \(failure.message)")
        case (.closed, _), (.insecure, _), (.malformed, _):
            self.init(failure.isSent ? .outcomeUnknown : .unreachable, "\(failure.message); \(advice)")
        default: self.init(failure.isSent ? .outcomeUnknown : .unreachable, failure.message)
        }
    }
}
