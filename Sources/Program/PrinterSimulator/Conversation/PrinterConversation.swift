import CameraProtocols
internal import OpenSSL

/// One connection's side of RTSP, after the manner of LIVE555: requests in, reactions out.
struct PrinterConversation: Sendable {
    typealias Settings = SimulatedPrinterConfiguration

    struct Reaction: Sendable {
        /// Nil is silence.
        var response: CameraResponse?
        /// What happens to the video once the response is sent.
        var media = Media.unchanged
    }

    enum Media: Sendable, Equatable {
        case unchanged
        case start(channel: UInt8)
        case stop
    }

    static let realm = "LIVE555 Streaming Media"
    private static let methods = "OPTIONS, DESCRIBE, SETUP, TEARDOWN, PLAY, PAUSE, GET_PARAMETER, SET_PARAMETER"

    /// The `scheme://host:port` under which the viewer reached us.
    let origin: String
    /// Makes a new unguessable word in hexadecimal.
    let newToken: @Sendable (_ bytes: Int) -> String

    private var nonce: String?
    private var session: String?
    private var channel: UInt8 = 0
    private var isSilent = false

    init(origin: String, newToken: @escaping @Sendable (_ bytes: Int) -> String) {
        (self.origin, self.newToken) = (origin, newToken)
    }

    /// Decides on one request; `date` is now, as the C library writes it.
    mutating func handle(_ request: RequestMessage, settings: Settings, date: String) -> Reaction {
        if isSilent || settings.fault == .hangTLS { return Reaction() }
        let reaction = react(to: request, settings: settings, date: date)
        switch (settings.fault, request.method, reaction.response?.status) {
        case (.hangOptions, "OPTIONS", _), (.hangDescribe, "DESCRIBE", "200 OK"), (.hangSetup, "SETUP", "200 OK"):
            isSilent = true
        default:
            break
        }
        return reaction
    }

    private mutating func react(to request: RequestMessage, settings: Settings, date: String) -> Reaction {
        switch request.method {
        case "OPTIONS":
            return Reaction(response: CameraResponse("200 OK", [("Public", Self.methods)]))
        case "DESCRIBE":
            return Reaction(response: challenge(to: request, settings) ?? describe(request, settings, date: date))
        case "SETUP":
            let continues = session != nil && request.session == session
            if !continues, let challenge = challenge(to: request, settings) { return Reaction(response: challenge) }
            return Reaction(response: setUp(request, settings))
        case "PLAY", "PAUSE", "TEARDOWN", "GET_PARAMETER", "SET_PARAMETER":
            guard let session, request.session == session else {
                return Reaction(response: CameraResponse("454 Session Not Found"))
            }
            return control(request, session)
        default:
            return Reaction(response: CameraResponse("405 Method Not Allowed", [("Allow", Self.methods)]))
        }
    }

    /// Nil when the request is authorized; a wrong answer brings a new nonce, which belongs to the connection.
    private mutating func challenge(to request: RequestMessage, _ settings: Settings) -> CameraResponse? {
        if isAuthorized(request, settings) { return nil }
        let fresh = newToken(16)
        nonce = fresh
        let header = ("WWW-Authenticate", "Digest realm=\"\(Self.realm)\", nonce=\"\(fresh)\"")
        return CameraResponse("401 Unauthorized", [header])
    }

    /// Reads the login as LIVE555 does (RFC 2617 without qop); no other scheme is ever accepted.
    private func isAuthorized(_ request: RequestMessage, _ settings: Settings) -> Bool {
        guard settings.fault != .unauthorized, let nonce, let header = request.headers.first(name: "Authorization"),
            header.hasPrefix("Digest ")
        else { return false }
        var (fields, rest) = ([String: String](), header.dropFirst("Digest ".count))
        // As in LIVE555, nothing is read behind a value without quotes.
        while let field = rest.prefixMatch(of: /[, ]*([^=]*)="([^"]*)"/) {
            fields[String(field.1)] = String(field.2)
            rest = rest[field.range.upperBound...]
        }
        guard fields["username"] == settings.user, fields["realm"] == Self.realm, fields["nonce"] == nonce,
            let uri = fields["uri"], let response = fields["response"],
            let who = try? Digest.md5.hex(of: "\(settings.user):\(Self.realm):\(settings.accessCode)"),
            let what = try? Digest.md5.hex(of: "\(request.method):\(uri)")
        else { return false }
        return (try? Digest.md5.hex(of: "\(who):\(nonce):\(what)")) == response
    }

    private func describe(_ request: RequestMessage, _ settings: Settings, date: String) -> CameraResponse {
        if settings.fault == .redirect {
            return CameraResponse("302 Moved Temporarily", [("Location", "rtsp://127.0.0.1:1\(settings.path)")])
        }
        guard request.path == settings.path, settings.fault != .notFound else {
            return CameraResponse("404 Stream Not Found")
        }
        let headers = [("Content-Base", "\(origin)\(settings.path)/"), ("Content-Type", "application/sdp")]
        return CameraResponse("200 OK", headers, body: Self.description(hasVideo: settings.fault != .noVideo, date))
    }

    /// The SDP of a printer (RFC 4566), with LIVE555's blank lines in its middle.
    private static func description(hasVideo: Bool, _ date: String) -> String {
        var lines = [
            "v=0",
            "o=- 1700000000000000 1 IN IP4 127.0.0.1",
            "s=rtsp stream server",
            "i=\(date)\n",
            "t=0 0",
            "a=tool:LIVE555 Streaming Media v2023.03.30",
            "a=type:broadcast",
            "a=control:*",
            "a=range:npt=now-",
            "a=x-qt-text-nam:rtsp stream server",
            "a=x-qt-text-inf:\(date)\n",
        ]
        if hasVideo {
            lines += [
                "m=video 0 RTP/AVP \(RTPPacketizer.payloadType)",
                "c=IN IP4 0.0.0.0",
                "b=AS:1000",
                "a=rtpmap:\(RTPPacketizer.payloadType) H264/\(RTPPacketizer.clockRate)",
                "a=fmtp:\(RTPPacketizer.payloadType) \(H264Clip.embedded.formatParameters)",
                "a=control:track1",
            ]
        } else {
            lines += ["m=audio 0 RTP/AVP 0", "c=IN IP4 0.0.0.0", "a=control:track1"]
        }
        return lines.map { $0 + "\r\n" }.joined()
    }

    private mutating func setUp(_ request: RequestMessage, _ settings: Settings) -> CameraResponse {
        guard settings.fault != .busy else { return CameraResponse("453 Not Enough Bandwidth") }
        // With one track its name may be left out.
        guard request.path == settings.path + "/track1" || request.path == settings.path else {
            return CameraResponse("404 Stream Not Found")
        }
        guard let wanted = request.headers.first(name: "Transport"), wanted.contains("RTP/AVP/TCP"),
            let number = wanted.split(separator: ";").first(where: { $0.hasPrefix("interleaved=") }),
            let first = UInt8(number.dropFirst("interleaved=".count).prefix { $0 != "-" }), first < 255
        else { return CameraResponse("461 Unsupported Transport") }
        let name = session ?? newToken(4).uppercased()
        (session, channel) = (name, first)
        let transport = "RTP/AVP/TCP;unicast;interleaved=\(first)-\(first + 1)"
        return CameraResponse("200 OK", [("Transport", transport), ("Session", "\(name);timeout=65")])
    }

    private mutating func control(_ request: RequestMessage, _ name: String) -> Reaction {
        let answer = CameraResponse("200 OK", [("Session", name)])
        switch request.method {
        case "PLAY":
            let range = CameraResponse("200 OK", [("Range", "npt=0.000-"), ("Session", name)])
            return Reaction(response: range, media: .start(channel: channel))
        case "PAUSE": return Reaction(response: answer, media: .stop)
        case "TEARDOWN":
            session = nil
            return Reaction(response: CameraResponse("200 OK"), media: .stop)
        default: return Reaction(response: answer)
        }
    }
}

extension RequestMessage {
    /// The path of the target, without a slash at its end.
    fileprivate var path: String {
        var path = Substring(url)
        if let scheme = path.firstRange(of: "://") {
            path = path[scheme.upperBound...]
            path = path.firstIndex(of: "/").map { path[$0...] } ?? ""
        }
        while path.hasSuffix("/") { path.removeLast() }
        return String(path)
    }

    fileprivate var session: String? { headers.first(name: "Session").map { String($0.prefix { $0 != ";" }) } }
}
