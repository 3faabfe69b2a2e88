/// The part of a probe that is the same for all cameras that send whole JPEG pictures, without a session.
///
/// Its stages are ``ProbeStage/play``, until a picture begins, and ``ProbeStage/firstFrame``, until the picture is whole.
/// There is nothing to tear down: closing the connection ends it.
protocol PictureConversation: StreamConversation {
    var stage: ProbeStage { get set }
    var video: VideoFormat? { get set }
    /// The newest whole picture.
    var picture: CodedPicture? { get set }
}

extension PictureConversation {
    mutating func pictureBegins() -> [ConversationStep] {
        guard stage == .play else { return [] }
        stage = .firstFrame
        video = VideoFormat(codec: .mjpeg)
        return settings.depth > .rtsp ? [.completed(.play)] : [.completed(.play), .finished]
    }

    mutating func pictureEnds(_ format: VideoFormat, _ bytes: [UInt8]) -> [ConversationStep] {
        (picture, video) = (CodedPicture(codec: .mjpeg, bytes: bytes), format)
        return [.completed(.firstFrame), .finished]
    }

    /// Why the server's end of the connection is a failure.
    func cutOff(by end: ConnectionEnd) -> ProbeFault {
        let message = "the server \(end.verb) the connection"
        return picture == nil
            ? ProbeFault(.closedEarly, "\(message) before the first picture was whole")
            : ProbeFault(.closedEarly, "\(message) while it sent pictures", .closedWhilePlaying)
    }

    /// Why there is no whole picture in time, once one has begun.
    var unfinishedPicture: ProbeFault {
        ProbeFault(
            .noFrame,
            picture == nil ? "the first picture stopped before its end" : "no further picture came in time"
        )
    }

    static var hasSession: Bool { false }
    var isSettingUp: Bool { false }
    func isAnswer(_ message: Parser.Message) -> Bool { false }
    mutating func teardownRequest(after answer: Parser.Message?) -> String? { nil }
    mutating func finalRequest(after part: Parser.Message?) -> String? { nil }
}
