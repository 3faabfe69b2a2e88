/// A status of RTSP that the relay answers with (RFC 2326, section 7.1.1).
enum RTSPStatus: String, Sendable {
    case ok = "200 OK"
    case badRequest = "400 Bad Request"
    case unauthorized = "401 Unauthorized"
    case forbidden = "403 Forbidden"
    case notFound = "404 Stream Not Found"
    case methodNotAllowed = "405 Method Not Allowed"
    case parameterNotUnderstood = "451 Parameter Not Understood"
    case sessionNotFound = "454 Session Not Found"
    case invalidInState = "455 Method Not Valid in This State"
    case unsupportedTransport = "461 Unsupported Transport"
    case notImplemented = "501 Not Implemented"
    case unavailable = "503 Service Unavailable"
    case timeout = "504 Gateway Time-out"
    case unsupportedOption = "551 Option not supported"
}
