/// One protocol's part of a probe as a value, once the connection stands: messages in, requests and results out.
///
/// No I/O and no clock: the state machine has the deadlines, and the way out.
protocol StreamConversation: Sendable {
    associatedtype Parser: StreamParser

    static var streamProtocol: StreamProtocol { get }
    /// Whether the server keeps a session, which a client has to end. Without a session, a reset of the connection suffices.
    static var hasSession: Bool { get }

    var settings: ConversationSettings { get }
    var stage: ProbeStage { get }
    /// The first key frame, once it is complete and if it was asked for.
    var picture: CodedPicture? { get }
    /// The video as far as it is known.
    var video: VideoFormat? { get }
    /// Whether the server has accepted the password.
    var isAuthorized: Bool { get }

    /// Whether the certificate proves that the server is the camera; false until the handshake is complete.
    var isServerProven: Bool { get set }

    /// The first request of a connection.
    mutating func start() -> [ConversationStep]
    /// Takes a message of the server.
    mutating func receive(_ message: Parser.Message) -> [ConversationStep]

    /// What to do when the server ends the connection; nothing if that is a failure.
    mutating func receive(_ end: ConnectionEnd) -> [ConversationStep]
    /// Why the present stage fails when the server ends the connection, perhaps in the middle of a message.
    func failure(endedBy end: ConnectionEnd, in part: Parser.Message?) -> ProbeFault
    /// Why the present stage fails when its time is over, perhaps in the middle of a message.
    func timeout(in part: Parser.Message?) -> ProbeFault
    /// Why the present stage fails when the server's bytes cannot be read, perhaps in the middle of a message.
    func unreadable(_ why: String, in part: Parser.Message?) -> ProbeFault

    /// What keeps the stream alive, each time that ``ConversationStep/keepAlive(after:)`` is over.
    mutating func keepAlive() -> [ConversationStep]

    /// Whether SETUP is in flight: its answer may name a session, which then has to be ended.
    var isSettingUp: Bool { get }
    /// Whether `message` answers the request in flight.
    func isAnswer(_ message: Parser.Message) -> Bool
    /// The next request that ends the session, sent once the one before is answered; nil if there is none.
    ///
    /// `answer` is the answer to the request in flight; nil if none came.
    mutating func teardownRequest(after answer: Parser.Message?) -> String?
    /// The request that ends the session without waiting for answers; nil if there is none.
    ///
    /// `part` is the answer that was read in part; nil if none was begun.
    mutating func finalRequest(after part: Parser.Message?) -> String?
}

/// What to do, or what has been reached.
enum ConversationStep: Sendable, Hashable {
    /// A request, which has the whole time of the stage for its answer.
    case send(String)
    /// An answer to a request of the server. Sending it does not extend the deadline of the stage.
    case reply(String)
    /// The server promises pictures: the first one may take as long as any other.
    case awaitPicture
    /// The stage is over, the next one has begun.
    case completed(ProbeStage)
    case failed(ProbeFault)
    /// Everything that the depth asks for is done.
    case finished
    /// The server sends no further picture.
    case ended
    /// A part of a stream that is passed on.
    case part(StreamPart)
    /// A frame between the messages (RFC 2326, section 10.12).
    case sendFrame([UInt8])
    /// Ask for ``StreamConversation/keepAlive()`` after this time.
    case keepAlive(after: Duration)
    /// The next request needs another connection, which begins with ``StreamConversation/start()``.
    case reconnect

    /// A failure whose reason says it all.
    static func failed(_ reason: ProbeReason, _ message: String) -> Self { .failed(ProbeFault(reason, message)) }
}

extension StreamConversation {
    /// Hides the password, should the server have repeated it.
    var redaction: PasswordRedaction { PasswordRedaction(settings.url.password, user: settings.url.user) }

    mutating func receive(_ end: ConnectionEnd) -> [ConversationStep] { [] }
    mutating func keepAlive() -> [ConversationStep] { [] }
}
