/// The JPEG protocol's part of a probe: a login, and the pictures that come by themselves.
///
/// Its stages are ``ProbeStage/play``, until the first frame's header, and ``ProbeStage/firstFrame``, until the picture
/// is there. There is nothing to tear down: closing the connection ends it.
struct JPEGConversation: StreamConversation {
    typealias Parser = JPEGStreamParser

    static let streamProtocol = StreamProtocol.jpeg

    let depth: ProbeDepth
    private(set) var stage = ProbeStage.play
    private(set) var video: VideoFormat?
    private(set) var picture: CodedPicture?
    let redaction: PasswordRedaction
    private let address: JPEGStreamAddress
    var isServerProven: Bool
    private let keepsPicture: Bool

    /// The login is sent only if `isServerProven`: if the certificate proves that the server is the camera.
    init(_ address: JPEGStreamAddress, depth: ProbeDepth, isServerProven: Bool = false, keepsPicture: Bool = false) {
        self.address = address
        self.keepsPicture = keepsPicture
        self.isServerProven = isServerProven
        redaction = PasswordRedaction(address.password, user: address.user)
        self.depth = depth
    }

    var endpoint: StreamEndpoint { StreamEndpoint(host: address.host, port: address.port, isEncrypted: true) }

    /// Pictures come after the login only, which was sent to a proven server.
    var isAuthorized: Bool { stage == .firstFrame }

    func makeParser() -> JPEGStreamParser { JPEGStreamParser(keepsPictures: keepsPicture) }

    mutating func start() -> [ConversationStep] {
        guard isServerProven else {
            let message =
                "the camera's login is the password itself, and nothing proves that this is the camera: not sent"
            return [.failed(ProbeFault(.serverUnproven, message, .loginWithheld))]
        }
        return [.send(JPEGStreamLogin.packet(address))]
    }

    mutating func receive(_ message: JPEGStreamParser.Message) -> [ConversationStep] {
        switch message {
        case .pictureBegins where stage == .play:
            stage = .firstFrame
            video = VideoFormat(codec: .mjpeg)
            return depth > .rtsp ? [.completed(.play)] : [.completed(.play), .finished]
        case .picture(let width, let height, let bytes):
            if keepsPicture { picture = CodedPicture(codec: .mjpeg, bytes: bytes) }
            video = VideoFormat(codec: .mjpeg, width: width, height: height)
            return [.completed(.firstFrame), .finished]
        case .pictureBegins: return []
        case .other:
            let message = "the server answers, but has no pictures: this model has its video elsewhere"
            return [.failed(ProbeFault(.noVideo, message, .otherProtocol))]
        }
    }

    /// These cameras close the connection without a word when the password is wrong.
    func failure(endedBy end: ConnectionEnd, in part: JPEGStreamParser.Message?) -> ProbeFault {
        if stage == .play, end == .closed {
            return ProbeFault(
                .unauthorized,
                "the server closed the connection after the login: it refuses the password"
            )
        }
        let message = "the server \(end.verb) the connection"
        return picture == nil
            ? ProbeFault(.closedEarly, "\(message) before the first picture")
            : ProbeFault(.closedEarly, "\(message) while it sent pictures", .closedWhilePlaying)
    }

    func timeout(in part: JPEGStreamParser.Message?) -> ProbeFault {
        ProbeFault(
            .noFrame,
            stage == .play
                ? "no picture came after the login"
                : picture == nil ? "the first picture did not come to its end" : "no further picture came in time"
        )
    }
}

extension JPEGConversation {
    /// Before the first picture, the server may speak another protocol; later only the picture is damaged.
    func unreadable(_ why: String) -> ProbeFault {
        ProbeFault(.rtspInvalid, why, stage == .play ? .otherProtocol : nil)
    }
}

/// There is no session, and so nothing to keep or to give back.
extension JPEGConversation {
    var isSettingUp: Bool { false }
    func isAnswer(_ message: JPEGStreamParser.Message) -> Bool { false }
    mutating func farewell(after answer: JPEGStreamParser.Message?) -> String? { nil }
    mutating func lastWord(after part: JPEGStreamParser.Message?) -> String? { nil }
}
