/// The part of a probe that asks for a picture over HTTP, or for one after the other (MJPEG).
///
/// A login is sent when the server asks for it: on the same connection if the server keeps that, else on another one.
struct HTTPConversation: PictureConversation, ChallengedConversation {
    typealias Parser = HTTPParser

    static let streamProtocol = StreamProtocol.http

    var stage = ProbeStage.play
    var video: VideoFormat?
    var picture: CodedPicture?
    let settings: ConversationSettings
    var authenticator: Authenticator
    /// Whether the request in flight carries a login.
    private var carriesLogin = false
    /// Whether the server has asked for a login, and has not answered the request that carries it.
    private var isRetrying = false
    /// Whether the request in flight is a login, and the first one of its connection.
    private var hasReconnected = false
    private var connectionsLeft: Int
    /// The answer that promises pictures.
    private var promise: ResponseMessage?

    init(_ settings: ConversationSettings) {
        self.settings = settings
        authenticator = settings.authenticator
        connectionsLeft = settings.connections - 1
    }

    mutating func start() -> [ConversationStep] {
        let (url, path) = (settings.url, settings.url.path)
        let authorization: String?
        do { authorization = try authenticator.authorization(method: "GET", uri: path) } catch {
            return [.failed(.unauthorized, "the digest cannot be computed here: \(error)")]
        }
        carriesLogin = authorization != nil
        var request = RequestMessage(method: "GET", url: path, version: "HTTP/1.1")
        request.headers = ["Host": url.hostHeader, "User-Agent": "printer2mqtt", "Accept": "*/*"]
        if let authorization { request.headers.add(name: "Authorization", value: authorization) }
        // A request with a login may follow the one without.
        if carriesLogin || url.password == nil { request.headers.add(name: "Connection", value: "close") }
        // A camera may take the picture before it answers.
        return [.send(request.encoded), .awaitPicture]
    }

    mutating func receive(_ message: HTTPParser.Message) -> [ConversationStep] {
        switch message {
        case .response(let response): return response.status < 200 ? [] : receive(response)
        case .part(let type): return receive(partOf: type)
        case .pictureBegins: return pictureBegins()
        case .picture(let format, let bytes):
            let steps = pictureEnds(format, bytes)
            return contentType?.hasPrefix("image/") == true ? steps + [.ended] : steps
        case .end where isRetrying: return start()
        case .end where hasSinglePicture: return [.ended]
        case .end where stage == .play: return [.failed(.noVideo, "the answer has no JPEG picture in it")]
        case .end: return [.failed(cutOff(by: .closed))]
        }
    }

    mutating func receive(_ end: ConnectionEnd) -> [ConversationStep] {
        if end == .closed, hasSinglePicture { return [.ended] }
        return isRetrying && !hasReconnected ? reconnect() : []
    }

    /// Whether the answer, which is no endless stream, has brought its picture.
    private var hasSinglePicture: Bool { picture != nil && contentType?.hasPrefix("multipart/") != true }

    private mutating func receive(_ response: ResponseMessage) -> [ConversationStep] {
        hasReconnected = false
        if response.status == 401 {
            let challenges = response.headers["WWW-Authenticate"]
            switch authenticator.challenged(by: challenges, wasAuthorized: carriesLogin) {
            case .refused(let fault): return [.failed(fault)]
            case .retry:
                isRetrying = true
                // The request follows the end of the answer.
                return hasEnd(response) ? [] : reconnect()
            }
        }
        isRetrying = false
        if let reason = ProbeReason(status: response.status) {
            let place = reason == .redirected ? destination(response.headers.first(name: "Location")) : ""
            let message = "the request was answered with \(shownStatus(of: response))\(place)"
            return [.failed(ProbeFault(reason, message, ProbeCause(status: response.status)))]
        }
        if carriesLogin { authenticator.accepted(response.headers.first(name: "Authentication-Info")) }
        promise = response
        let type = contentType ?? "image/jpeg"
        return Self.isJPEG(type) || type.hasPrefix("multipart/")
            ? [] : [.failed(.noVideo, "the server answers with \(shown(type)), not with a JPEG picture")]
    }

    /// Fails if a part has video, audio or another kind of image; text may come between pictures.
    private func receive(partOf type: String) -> [ConversationStep] {
        let kind = Self.essence(of: type)
        let isOtherMedium = ["video/", "audio/", "image/"].contains(where: kind.hasPrefix) && !Self.isJPEG(kind)
        guard stage == .play, isOtherMedium else { return [] }
        return [.failed(.noVideo, "the server sends parts of type \(shown(type)), not JPEG pictures")]
    }

    private static func isJPEG(_ type: String) -> Bool {
        ["jpeg", "jpg", "/octet-stream"].contains(where: type.hasSuffix)
    }

    private mutating func reconnect() -> [ConversationStep] {
        // A server that refuses a login otherwise gets no second one.
        guard connectionsLeft > 0 else { return [.failed(.alwaysStale)] }
        connectionsLeft -= 1
        hasReconnected = true
        return [.reconnect]
    }

    /// Whether the server keeps the connection after an answer, and says where the answer ends.
    private func hasEnd(_ response: ResponseMessage) -> Bool {
        let headers = response.headers
        return headers.first(name: "Connection")?.lowercased() != "close"
            && (headers.first(name: "Content-Length") != nil || headers.first(name: "Transfer-Encoding") != nil)
    }

    private var contentType: String? {
        promise?.headers.first(name: "Content-Type").flatMap { $0.isEmpty ? nil : Self.essence(of: $0) }
    }

    /// A type in lower case, without parameters.
    private static func essence(of type: String) -> String {
        ASCII.lowercased(ASCII.trimmed(type.prefix { $0 != ";" }))
    }
}

/// Why the conversation ends when the server is silent, closes, or sends what cannot be read.
extension HTTPConversation {
    func timeout(in part: HTTPParser.Message?) -> ProbeFault {
        if part != nil { return ProbeFault(.rtspTimeout, "the answer stops in its head", .answerCutOff) }
        if stage == .firstFrame { return unfinishedPicture }
        if promise != nil { return ProbeFault(.noFrame, "the server answers, and sends no JPEG picture") }
        return isRetrying
            ? ProbeFault(.rtspTimeout, "no answer to the login in time", .silentAfterAnswer)
            : ProbeFault(.rtspTimeout, "no answer to the request in time")
    }

    func failure(endedBy end: ConnectionEnd, in part: HTTPParser.Message?) -> ProbeFault {
        if promise != nil { return cutOff(by: end) }
        let message = "the server \(end.verb) the connection"
        return part == nil
            ? ProbeFault(.closedEarly, "\(message) instead of answering")
            : ProbeFault(.closedEarly, "\(message) in the head of its answer", .answerCutOff)
    }

    func unreadable(_ why: String, in part: HTTPParser.Message?) -> ProbeFault {
        if stage == .firstFrame { return ProbeFault(.noFrame, why, .flood) }
        let isFirst = promise == nil && part == nil && !isRetrying && !settings.url.scheme.isEncrypted
        return ProbeFault(.rtspInvalid, why, isFirst ? .plainNotUnderstood : nil)
    }
}
