import CameraProtocols

/// A status of RTSP that the relay answers with (RFC 2326, section 7.1.1).
enum RTSPStatus: Int, Sendable {
    case ok = 200
    case badRequest = 400
    case unauthorized = 401
    case forbidden = 403
    case notFound = 404
    case methodNotAllowed = 405
    case parameterNotUnderstood = 451
    case sessionNotFound = 454
    case invalidInState = 455
    case unsupportedTransport = 461
    case notImplemented = 501
    case unavailable = 503
    case timeout = 504
    case unsupportedOption = 551

    var phrase: String {
        switch self {
        case .ok: "OK"
        case .badRequest: "Bad Request"
        case .unauthorized: "Unauthorized"
        case .forbidden: "Forbidden"
        case .notFound: "Stream Not Found"
        case .methodNotAllowed: "Method Not Allowed"
        case .parameterNotUnderstood: "Parameter Not Understood"
        case .sessionNotFound: "Session Not Found"
        case .invalidInState: "Method Not Valid in This State"
        case .unsupportedTransport: "Unsupported Transport"
        case .notImplemented: "Not Implemented"
        case .unavailable: "Service Unavailable"
        case .timeout: "Gateway Time-out"
        case .unsupportedOption: "Option not supported"
        }
    }
}

/// An answer to a viewer.
struct ViewerResponse: Sendable, Hashable {
    var status: RTSPStatus
    /// The request's number; nil if it had none.
    var sequence: String?
    var headers: [String] = []
    /// For people, or the description.
    var body = ""
    var type = "text/plain"

    var encoded: String {
        var lines = ["RTSP/1.0 \(status.rawValue) \(status.phrase)"]
        if let sequence { lines.append("CSeq: \(sequence)") }
        lines += headers
        if !body.isEmpty { lines += ["Content-Type: \(type)", "Content-Length: \(body.utf8.count)"] }
        return lines.joined(separator: "\r\n") + "\r\n\r\n" + body
    }
}
