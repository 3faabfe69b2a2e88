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
    mutating func handle(_ request: CameraRequest, settings: Settings, date: String) -> Reaction {
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

    private mutating func react(to request: CameraRequest, settings: Settings, date: String) -> Reaction {
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
    private mutating func challenge(to request: CameraRequest, _ settings: Settings) -> CameraResponse? {
        if settings.fault != .unauthorized, let nonce,
            let credentials = request.headers["authorization"].flatMap(DigestCredentials.init(header:)),
            credentials.prove(
                user: settings.user,
                password: settings.accessCode,
                realm: Self.realm,
                nonce: nonce,
                method: request.method
            )
        {
            return nil
        }
        let fresh = newToken(16)
        nonce = fresh
        let header = ("WWW-Authenticate", "Digest realm=\"\(Self.realm)\", nonce=\"\(fresh)\"")
        return CameraResponse("401 Unauthorized", [header])
    }

    private func describe(_ request: CameraRequest, _ settings: Settings, date: String) -> CameraResponse {
        if settings.fault == .redirect {
            return CameraResponse("302 Moved Temporarily", [("Location", "rtsp://127.0.0.1:1\(settings.path)")])
        }
        guard request.path == settings.path, settings.fault != .notFound else {
            return CameraResponse("404 Stream Not Found")
        }
        let video = VideoDescription(hasVideo: settings.fault != .noVideo, date: date)
        let headers = [("Content-Base", "\(origin)\(settings.path)/"), ("Content-Type", "application/sdp")]
        return CameraResponse("200 OK", headers, body: video.text)
    }

    private mutating func setUp(_ request: CameraRequest, _ settings: Settings) -> CameraResponse {
        guard settings.fault != .busy else { return CameraResponse("453 Not Enough Bandwidth") }
        // With one track its name may be left out.
        guard request.path == settings.path + "/track1" || request.path == settings.path else {
            return CameraResponse("404 Stream Not Found")
        }
        guard let wanted = request.headers["transport"], wanted.contains("RTP/AVP/TCP"),
            let number = wanted.split(separator: ";").first(where: { $0.hasPrefix("interleaved=") }),
            let first = UInt8(number.dropFirst("interleaved=".count).prefix { $0 != "-" }), first < 255
        else { return CameraResponse("461 Unsupported Transport") }
        let name = session ?? newToken(4).uppercased()
        (session, channel) = (name, first)
        let transport = "RTP/AVP/TCP;unicast;interleaved=\(first)-\(first + 1)"
        return CameraResponse("200 OK", [("Transport", transport), ("Session", "\(name);timeout=65")])
    }

    private mutating func control(_ request: CameraRequest, _ name: String) -> Reaction {
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
