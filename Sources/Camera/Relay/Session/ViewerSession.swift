import CameraProtocols

/// What a viewer may do, as the bridge's door says.
package enum ViewerVerdict: Sendable, Hashable {
    /// With the id of the token that allows it; nil where none is needed.
    case allowed(token: String?)
    /// Ask for the login.
    case challenge
    /// Ask for the same login with this connection's nonce.
    case stale
    /// The address has sent wrong passwords too often.
    case wait(seconds: Int)
}

/// Why a camera cannot be viewed.
struct ViewerRefusal: Error, Hashable {
    var status: RTSPStatus
    var message: String
    var retryAfter: Int?
}

/// A viewer's side of RTSP as a value: requests in, answers and steps out; no I/O, no clock (RFC 2326).
struct ViewerSession: Sendable {
    enum Action: Sendable, Hashable {
        case send(String)
        /// Find the camera; answered by ``ViewerSession/described(_:_:)``.
        case describe(String)
        /// Send the video, after what was sent so far.
        case play
        /// Send no more video, and leave the camera.
        case stop
        case close
    }

    private enum Phase {
        case idle, describing, described, ready, playing
    }

    /// How many seconds a viewer may be silent, as the answer to SETUP says.
    ///
    /// The relay does not enforce it while a viewer plays: a viewer that reads its connection is not silent.
    private static let timeout = 60
    /// Requests that may wait while a camera is found.
    private static let queueLimit = 8
    /// The video's channel on a viewer's connection; its reports have the next one.
    static let channel: UInt8 = 0
    private static let methods = "OPTIONS, DESCRIBE, SETUP, PLAY, GET_PARAMETER, SET_PARAMETER, TEARDOWN"
    /// For people whose player has the address of a printer, or speaks another protocol.
    private static let usage = "Use rtsp://HOST:PORT/ID, with the printer's ID, over TCP and without TLS.\n"
    /// Methods of the standard that the relay does not do.
    private static let otherMethods = ["ANNOUNCE", "PAUSE", "RECORD", "REDIRECT"]

    private let sessionID: String
    /// The values of `WWW-Authenticate`.
    private let challenges: [String]
    private var phase = Phase.idle
    /// The camera of the phase; nil while it is idle.
    private var address: RelayAddress?
    /// The number of the request for the camera's description.
    private var describedSequence: String?
    private var queue: [RequestMessage] = []

    init(sessionID: String, challenges: [String]) { (self.sessionID, self.challenges) = (sessionID, challenges) }

    private var hasSession: Bool { phase == .ready || phase == .playing }

    var isDescribing: Bool { phase == .describing }

    var isPlaying: Bool { phase == .playing }

    /// Takes a request; `verdict` says whether its sender may view cameras.
    mutating func receive(_ request: RequestMessage, _ verdict: (RequestMessage) -> ViewerVerdict) -> [Action] {
        if isDescribing {
            guard queue.count < Self.queueLimit else { return [.close] }
            queue.append(request)
            return []
        }
        guard let sequence = request.headers.first(name: "CSeq"), sequence.utf8.count <= 10, UInt32(sequence) != nil
        else {
            return [answer(.badRequest, nil, body: "CSeq must be a number.\n"), .close]
        }
        if request.headers.first(name: "Require") != nil {
            let unsupported = request.headers["Require"].map { "Unsupported: \($0)" }
            return [answer(.unsupportedOption, sequence, unsupported)]
        }
        switch request.method {
        case "OPTIONS": return [answer(.ok, sequence, ["Public: \(Self.methods)"])]
        case "DESCRIBE", "SETUP", "PLAY", "TEARDOWN", "GET_PARAMETER", "SET_PARAMETER": break
        case let method where Self.otherMethods.contains(method):
            return [answer(.methodNotAllowed, sequence, ["Allow: \(Self.methods)"])]
        default: return [answer(.notImplemented, sequence, ["Public: \(Self.methods)"])]
        }
        switch verdict(request) {
        case .allowed: return perform(request, sequence)
        case .challenge: return [ask(sequence)]
        // RFC 2617, section 3.2.1: the viewer's program need not ask for the password again.
        case .stale: return [ask(sequence, ", stale=true")]
        case .wait(let seconds):
            let body = "The token was wrong too often: wait \(seconds) seconds.\n"
            return [answer(.forbidden, sequence, ["Retry-After: \(seconds)"], body: body), .close]
        }
    }

    /// Answers with the camera's description or the refusal, then handles the requests that came meanwhile.
    mutating func described(
        _ result: Result<String, ViewerRefusal>,
        _ verdict: (RequestMessage) -> ViewerVerdict
    ) -> [Action] {
        guard isDescribing, let address, let sequence = describedSequence else { return [] }
        var actions: [Action]
        switch result {
        case .success(let description):
            phase = .described
            let base = ["Content-Base: \(address.base)"]
            actions = [answer(.ok, sequence, base, body: description, type: "application/sdp")]
        case .failure(let refusal):
            (phase, self.address) = (.idle, nil)
            let headers = refusal.retryAfter.map { ["Retry-After: \($0)"] } ?? []
            actions = [answer(refusal.status, sequence, headers, body: refusal.message + "\n"), .stop]
        }
        let waiting = queue
        queue = []
        for request in waiting { actions += receive(request, verdict) }
        return actions
    }

    /// What cannot be read ends the connection.
    mutating func unreadable() -> [Action] { [answer(.badRequest, nil, body: Self.usage), .close] }

    private mutating func perform(_ request: RequestMessage, _ sequence: String) -> [Action] {
        let named = request.headers.first(name: "Session").map { $0.prefix { $0 != ";" } }
        if let named, !hasSession || named != sessionID { return [answer(.sessionNotFound, sequence)] }
        if request.method.hasSuffix("_PARAMETER") {
            return [answer(request.body.isEmpty ? .ok : .parameterNotUnderstood, sequence, session)]
        }
        guard let target = RelayAddress(request.url), address == nil || address?.id == target.id else {
            return [answer(.notFound, sequence, body: Self.usage)]
        }
        switch (request.method, phase) {
        case ("DESCRIBE", .idle), ("DESCRIBE", .described):
            guard !target.isTrack else { return [answer(.notFound, sequence)] }
            (phase, address, describedSequence) = (.describing, target, sequence)
            return [.describe(target.id)]
        case ("SETUP", .described), ("SETUP", .ready):
            guard target.isTrack else { return [answer(.notFound, sequence)] }
            guard Self.offersTCP(request) else { return [answer(.unsupportedTransport, sequence)] }
            phase = .ready
            let channels = "\(Self.channel)-\(Self.channel + 1)"
            let transport = "Transport: RTP/AVP/TCP;unicast;interleaved=\(channels)"
            return [answer(.ok, sequence, [transport, "Session: \(sessionID);timeout=\(Self.timeout)"])]
        case ("PLAY", .ready), ("PLAY", .playing):
            guard named != nil else { return [answer(.sessionNotFound, sequence)] }
            let response = answer(.ok, sequence, session + ["Range: npt=now-"])
            if isPlaying { return [response] }
            phase = .playing
            return [response, .play]
        case ("TEARDOWN", .ready), ("TEARDOWN", .playing):
            guard named != nil else { return [answer(.sessionNotFound, sequence)] }
            (phase, address) = (.idle, nil)
            return [.stop, answer(.ok, sequence)]
        case ("PLAY", _), ("TEARDOWN", _): return [answer(.sessionNotFound, sequence)]
        default: return [answer(.invalidInState, sequence, ["Allow: \(Self.methods)"])]
        }
    }

    private func ask(_ sequence: String, _ addition: String = "") -> Action {
        let body = "Log in as user 'viewer', with a token that the page of the bridge has made.\n"
        return answer(.unauthorized, sequence, challenges.map { "WWW-Authenticate: \($0)\(addition)" }, body: body)
    }

    private var session: [String] { hasSession ? ["Session: \(sessionID)"] : [] }

    private static func offersTCP(_ request: RequestMessage) -> Bool {
        request.headers["Transport"].flatMap { $0.split(separator: ",") }.contains { offer in
            let parts = offer.lowercased().split(separator: ";").map { $0.filter { $0 != " " } }
            return parts.first == "rtp/avp/tcp" && !parts.contains("multicast")
        }
    }

    /// An answer to the request of a number, nil if it had none, with a body for people, or the description.
    private func answer(
        _ status: RTSPStatus,
        _ sequence: String?,
        _ headers: [String] = [],
        body: String = "",
        type: String = "text/plain"
    ) -> Action {
        var lines = ["RTSP/1.0 \(status.rawValue)"]
        if let sequence { lines.append("CSeq: \(sequence)") }
        lines += headers
        if !body.isEmpty { lines += ["Content-Type: \(type)", "Content-Length: \(body.utf8.count)"] }
        return .send(lines.joined(separator: "\r\n") + "\r\n\r\n" + body)
    }
}
