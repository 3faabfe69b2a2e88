/// The RTSP part of a probe as a value: answers in, requests and results out; no I/O, no clock.
///
/// One request is in flight at a time. Frames and requests of the server are dealt with wherever they come.
struct RTSPConversation: ChallengedConversation {
    typealias Parser = RTSPParser

    /// A session that the server keeps until TEARDOWN.
    struct Session: Sendable, Hashable {
        var id: String
        /// The interleaved channel of the track's RTP.
        var channel: UInt8
    }

    struct Pending: Sendable {
        var sequence: Int
        var method: String
        var url: String
        var extra: MessageHeaders
        var isAuthorized: Bool
    }

    /// Requests of the server that are answered before it is taken for hostile.
    private static let serverRequestLimit = 32

    static let streamProtocol = StreamProtocol.rtsp
    static let hasSession = true

    let settings: ConversationSettings
    /// The address of the stream in requests.
    var address: String
    private(set) var stage = ProbeStage.options
    var session: Session?
    private(set) var pending: Pending?
    /// Whether the stream was asked for, and not yet asked to pause.
    var isPlaying = false
    private var sequence = 0
    private var serverRequests = 0
    var authenticator: Authenticator
    private var track: VideoTrack?
    private(set) var sessionURL = ""
    private var assembler: VideoAssembler?
    private var configuration: VideoConfiguration?
    private var hasKeyFrame = false
    /// The newest key frame; nil if it was too large.
    private var keyFrame: VideoPicture?
    /// Whether the server says that it knows GET_PARAMETER.
    private var knowsParameters = false
    /// Keeps the stream alive if it is passed on; nil before SETUP.
    private var upkeep: SessionUpkeep?

    init(_ settings: ConversationSettings) {
        self.settings = settings
        address = settings.url.requestAddress
        authenticator = settings.authenticator
    }

    /// The video that the description offers, or better what the stream itself says.
    var video: VideoFormat? { assembler?.sets.format ?? track?.format }

    /// The newest key frame, if it was asked for.
    var picture: CodedPicture? { keyFrame.flatMap { configuration?.coded([$0]) } }

    mutating func start() -> [ConversationStep] { request("OPTIONS", address) }

    mutating func receive(_ message: RTSPMessage) -> [ConversationStep] {
        switch message {
        case .interleaved(let channel, let payload): receiveFrame(payload, on: channel)
        case .request(let request): answer(request)
        case .response(let response): receive(response)
        }
    }

    /// What is known about a key frame that did not come, for people.
    var frameProgress: String {
        if upkeep != nil, hasKeyFrame { return "the stream has fallen silent, or has no more key frames" }
        guard let assembler, assembler.packets + assembler.strangers > 0 else { return "no video came" }
        if assembler.packets == 0 {
            let type = track?.payloadType.map { " \($0)" } ?? ""
            return
                "packets came (\(assembler.strangers)), but none of the payload type\(type) that the description names"
        }
        return assembler.lacksSets
            ? "key frames came, but no parameter set that they need"
            : "packets of video came (\(assembler.packets)), but no complete key frame"
    }

    // MARK: Requests

    mutating func request(
        _ method: String,
        _ url: String,
        _ extra: MessageHeaders = [:]
    ) -> [ConversationStep] {
        sequence += 1
        var request = RequestMessage(method: method, url: url)
        request.headers.add(name: "CSeq", value: String(sequence))
        let authorization: String?
        do { authorization = try authenticator.authorization(method: method, uri: url) } catch {
            return [.failed(.unauthorized, "the digest cannot be computed here: \(error)")]
        }
        if let authorization { request.headers.add(name: "Authorization", value: authorization) }
        request.headers.add(name: "User-Agent", value: "printer2mqtt")
        request.headers.add(contentsOf: extra)
        pending = Pending(
            sequence: sequence,
            method: method,
            url: url,
            extra: extra,
            isAuthorized: authorization != nil
        )
        return [.send(request.encoded)]
    }

    private mutating func answer(_ request: RequestMessage) -> [ConversationStep] {
        serverRequests += 1
        guard serverRequests <= Self.serverRequestLimit else {
            return [.failed(ProbeFault(.rtspInvalid, "the server sends one request after the other", .flood))]
        }
        let answer = ConversationStep.reply(Self.reply(to: request))
        switch request.method {
        case "REDIRECT":
            let place = destination(request.headers.first(name: "Location"))
            return [answer, .failed(.redirected, "the server sends its viewers elsewhere\(place)")]
        case "TEARDOWN" where session != nil:
            return [answer, .failed(.closedEarly, "the server ended the session")]
        case _: return [answer]
        }
    }

    /// Answers 200 to signs of life and to notices of the server (RFC 2326, section 10), else 501.
    static func reply(to request: RequestMessage) -> String {
        let isFine = ["OPTIONS", "GET_PARAMETER", "SET_PARAMETER", "ANNOUNCE", "REDIRECT", "TEARDOWN"].contains(
            request.method
        )
        var text = isFine ? "RTSP/1.0 200 OK\r\n" : "RTSP/1.0 501 Not Implemented\r\n"
        if let sequence = request.headers.first(name: "CSeq") { text += "CSeq: \(sequence)\r\n" }
        if let session = request.headers.first(name: "Session") { text += "Session: \(session)\r\n" }
        if request.method == "OPTIONS" { text += "Public: OPTIONS, GET_PARAMETER, SET_PARAMETER\r\n" }
        return text + "\r\n"
    }

    // MARK: Answers

    private mutating func receive(_ response: ResponseMessage) -> [ConversationStep] {
        if (100..<200).contains(response.status) { return [] }
        // While the probe waits for frames it sends no request, so a late answer is ignored.
        guard let pending else {
            return stage == .firstFrame ? [] : [.failed(.rtspInvalid, "an answer nobody asked for")]
        }
        guard response.headers["CSeq"].allSatisfy({ ASCII.number($0) == pending.sequence }) else {
            if stage == .firstFrame { return [] }
            // The answer belongs to no request, but a session that it names must be ended.
            noteSession(response)
            return [.failed(.rtspInvalid, "an answer to another request than \(pending.method)")]
        }
        self.pending = nil
        let verdict = verdict(on: response, to: pending)
        switch verdict {
        case .retry?:
            let again = request(pending.method, pending.url, pending.extra)
            // While it plays, an answer to a request is no sign of video: the deadline of the picture stays.
            return stage == .firstFrame ? text(of: again).map { [.reply($0)] } ?? again : again
        case .refused(let fault)?: return [.failed(fault)]
        case nil: break
        }
        guard let reason = ProbeReason(status: response.status) else { return proceed(response, pending) }
        if stage == .firstFrame, response.status != 454 {
            upkeep?.noteRefusal()
            return []
        }
        // Servers that don't know OPTIONS are still fine.
        if stage == .options, reason == .rtspInvalid { return proceed(response, pending) }
        let location = reason == .redirected ? response.headers.first(name: "Location") : nil
        if let plain = location.flatMap(plainAddress) {
            address = plain
            return request(pending.method, plain, pending.extra)
        }
        let message = "\(pending.method) was answered with \(shownStatus(of: response))\(destination(location))"
        return [.failed(ProbeFault(reason, message, ProbeCause(status: response.status)))]
    }

    /// Takes what an answer says about the password; nil when that is no refusal.
    mutating func verdict(on response: ResponseMessage, to pending: Pending) -> Authenticator.Verdict? {
        if response.status == 401 {
            let challenges = response.headers["WWW-Authenticate"]
            return authenticator.challenged(by: challenges, wasAuthorized: pending.isAuthorized)
        }
        if response.status < 300, pending.isAuthorized {
            authenticator.accepted(response.headers.first(name: "Authentication-Info"))
        }
        return nil
    }

    private mutating func proceed(_ response: ResponseMessage, _ pending: Pending) -> [ConversationStep] {
        switch stage {
        case .options: advance(to: .describe) + describe(after: response)
        case .describe: described(response, request: pending.url)
        case .setup: setUp(response)
        case .play: playing()
        case .dns, .tcp, .tls, .firstFrame: []
        }
    }

    private mutating func advance(to next: ProbeStage) -> [ConversationStep] {
        defer { stage = next }
        return [.completed(stage)]
    }

    private mutating func describe(after options: ResponseMessage) -> [ConversationStep] {
        knowsParameters = options.headers["Public"].contains { $0.uppercased().contains("GET_PARAMETER") }
        return request("DESCRIBE", address, ["Accept": "application/sdp"])
    }

    private mutating func described(_ response: ResponseMessage, request url: String) -> [ConversationStep] {
        guard !response.body.isEmpty else { return [.failed(.noVideo, "the description is empty")] }
        guard let description = SessionDescription(response.body) else {
            return [.failed(.rtspInvalid, "the description is no SDP")]
        }
        guard let track = description.video else {
            let offer = description.offer.map { shown($0, limit: 60) }.joined(separator: ", ")
            let what = offer.isEmpty ? "nothing" : offer
            return [.failed(.noVideo, "the description offers no H.264 or H.265 video but \(what)")]
        }
        self.track = track
        guard settings.depth >= .media else { return [.completed(.describe), .finished] }
        let base = ControlURL.base(of: response, request: url)
        guard let trackURL = ControlURL.resolve(track.control, base: base),
            let sessionURL = ControlURL.resolve(description.control, base: base)
        else { return [.failed(.rtspInvalid, "the description's control addresses cannot be used")] }
        self.sessionURL = sessionURL
        let known = ParameterSets(track.codec, known: track.parameterSets)
        assembler = VideoAssembler(track.codec, payloadType: track.payloadType, known: known, keysOnly: true)
        let transport = "RTP/AVP/TCP;unicast;interleaved=0-1"
        return advance(to: .setup) + request("SETUP", trackURL, ["Transport": transport])
    }

    private mutating func setUp(_ response: ResponseMessage) -> [ConversationStep] {
        guard let id = InterleavedTransport.sessionID(in: response.headers.first(name: "Session")) else {
            return [.failed(.rtspInvalid, "SETUP was answered without a session")]
        }
        let channel = InterleavedTransport.channel(in: response.headers.first(name: "Transport"))
        session = Session(id: id, channel: channel ?? 0)
        guard channel != nil else {
            let message = "SETUP was answered with another transport than interleaved TCP"
            return [.failed(ProbeFault(.rtspInvalid, message, .noTCPTransport))]
        }
        isPlaying = true
        var steps = advance(to: .play)
        if settings.watches, let track {
            let timeout = InterleavedTransport.sessionTimeout(in: response.headers.first(name: "Session"))
            upkeep = SessionUpkeep(timeout: timeout, knowsParameters: knowsParameters)
            steps.append(.part(.began(track)))
        }
        return steps + request("PLAY", sessionURL, ["Session": id, "Range": "npt=0.000-"])
    }

    private mutating func playing() -> [ConversationStep] {
        var steps = advance(to: .firstFrame)
        if let upkeep { steps.append(.keepAlive(after: upkeep.interval)) }
        return hasKeyFrame ? steps + [.completed(.firstFrame), .finished] : steps
    }

    private mutating func receiveFrame(_ payload: [UInt8], on channel: UInt8) -> [ConversationStep] {
        guard channel == session?.channel else { return [] }
        var steps: [ConversationStep] = []
        if upkeep != nil {
            guard let packet = RTPPacket(payload), packet.payloadType == track?.payloadType ?? packet.payloadType,
                upkeep?.receive(packet) == true
            else {
                // Counted, so that a failure can say that packets came, but no video of this track.
                _ = takeKeyFrame(payload)
                return []
            }
            steps.append(.part(.packet(payload)))
        } else if hasKeyFrame {
            return []
        }
        guard takeKeyFrame(payload) else { return steps }
        hasKeyFrame = true
        upkeep?.receiveKeyFrame()
        return stage == .firstFrame ? steps + [.completed(.firstFrame), .finished] : steps
    }

    /// Takes a packet; true if it completes a key frame, also one that is too large.
    private mutating func takeKeyFrame(_ packet: [UInt8]) -> Bool {
        let oversized = assembler?.oversized
        var found = false
        for event in assembler?.receive(packet, at: 0) ?? [] {
            switch event {
            case .configuration(let new): configuration = new
            case .picture(let picture): (keyFrame, found) = (picture, true)
            case .interruption: break
            }
        }
        if found || assembler?.oversized == oversized { return found }
        keyFrame = nil
        return true
    }

    mutating func keepAlive() -> [ConversationStep] {
        guard let due = upkeep?.tick(), let upkeep, let session else { return [] }
        var steps: [ConversationStep] = [.keepAlive(after: upkeep.interval)]
        // The time that a camera may be silent, and what it may send and ask, begin anew.
        serverRequests = 0
        if due.isAlive { steps.append(.awaitPicture) }
        if let report = due.report { steps.append(.sendFrame(RTCPReport.frame(report, channel: session.channel &+ 1))) }
        if let method = due.request, let text = text(of: request(method, sessionURL, ["Session": session.id])) {
            steps.append(.reply(text))
        }
        return steps
    }
}
