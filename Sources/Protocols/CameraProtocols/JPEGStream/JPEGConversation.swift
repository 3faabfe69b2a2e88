import Secrets

/// The JPEG protocol's part of a probe: a login, and the pictures that come by themselves.
struct JPEGConversation: PictureConversation {
    typealias Parser = JPEGStreamParser

    static let streamProtocol = StreamProtocol.jpeg

    let settings: ConversationSettings
    var stage = ProbeStage.play
    var video: VideoFormat?
    var picture: CodedPicture?
    /// The login is sent only if the certificate proves that the server is the camera.
    var isServerProven = false

    init(_ settings: ConversationSettings) { self.settings = settings }

    /// Pictures come after the login only, which was sent to a proven server.
    var isAuthorized: Bool { stage == .firstFrame }

    mutating func start() -> [ConversationStep] {
        guard isServerProven else {
            let message =
                "the camera asks for the access code itself, which was not sent: nothing proves that this is the printer"
            return [.failed(ProbeFault(.serverUnproven, message, .loginWithheld))]
        }
        return [.send(Self.login(settings.url))]
    }

    /// The one packet that a viewer sends: 16 bytes of header, user name and password padded with NULs to 32 bytes each.
    ///
    /// It happens to be text: payload size 0x40 and type 0x3000, in little endian, are ASCII.
    static func login(_ url: StreamURL) -> String {
        func padded(_ text: String) -> String {
            text + String(repeating: "\0", count: max(0, StreamURL.longestOfJPEG - text.utf8.count))
        }
        let header = "\u{40}\0\0\0" + "\0\u{30}\0\0" + String(repeating: "\0", count: 8)
        return header + padded(url.user ?? "") + padded(url.password?.reveal() ?? "")
    }

    mutating func receive(_ message: JPEGStreamParser.Message) -> [ConversationStep] {
        switch message {
        case .pictureBegins: return pictureBegins()
        case .picture(let format, let bytes): return pictureEnds(format, bytes)
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
        return cutOff(by: end)
    }

    func timeout(in part: JPEGStreamParser.Message?) -> ProbeFault {
        stage == .play ? ProbeFault(.noFrame, "no picture came after the login") : unfinishedPicture
    }

    /// Before the first picture, the server may speak another protocol; later only the picture is damaged.
    func unreadable(_ why: String, in part: JPEGStreamParser.Message?) -> ProbeFault {
        ProbeFault(.rtspInvalid, why, stage == .play ? .otherProtocol : nil)
    }
}
