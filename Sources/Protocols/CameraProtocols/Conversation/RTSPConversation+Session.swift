/// The session that the server keeps for us, and how it is ended (RFC 2326, sections 10.6 to 10.8 and 12.37).
extension RTSPConversation {
    var isSettingUp: Bool { session == nil && pending?.method == "SETUP" }

    /// Whether `message` answers the request in flight.
    func isAnswer(_ message: RTSPMessage) -> Bool {
        guard case .response(let response) = message, response.status >= 200, let pending else { return false }
        return response.headers.first(name: "CSeq").map { ASCII.number($0) == pending.sequence } ?? true
    }

    /// PAUSE if the stream plays, then TEARDOWN if there is a session, and again if it was refused for its nonce.
    mutating func teardownRequest(after answer: RTSPMessage?) -> String? {
        if case .response(let response)? = answer, let pending {
            noteSession(response)
            if verdict(on: response, to: pending) == .retry, pending.method == "TEARDOWN" {
                return text(of: request(pending.method, pending.url, pending.extra))
            }
        }
        guard isPlaying, let session else { return finalRequest(after: nil) }
        isPlaying = false
        return text(of: request("PAUSE", sessionURL, ["Session": session.id]))
    }

    /// Keeps the session that an answer names while SETUP is in flight.
    mutating func noteSession(_ response: ResponseMessage) {
        guard (200..<300).contains(response.status), isSettingUp,
            let id = InterleavedTransport.sessionID(in: response.headers.first(name: "Session"))
        else { return }
        session = Session(id: id, channel: 0)
    }

    mutating func finalRequest(after part: RTSPMessage?) -> String? {
        if case .response(let response)? = part { noteSession(response) }
        guard let session else { return nil }
        self.session = nil
        return text(of: request("TEARDOWN", sessionURL, ["Session": session.id]))
    }

    func text(of steps: [ConversationStep]) -> String? {
        guard case .send(let text) = steps.first else { return nil }
        return text
    }
}

/// Why the conversation ends when the server is silent, closes, or sends what cannot be read.
extension RTSPConversation {
    func timeout(in part: RTSPMessage?) -> ProbeFault {
        guard stage != .firstFrame else { return ProbeFault(.noFrame, frameProgress) }
        let request = stage.rawValue.uppercased()
        if part != nil {
            return ProbeFault(.rtspTimeout, "the answer to \(request) stops before its announced end", .answerCutOff)
        }
        let hasAnswered = stage > .options || pending?.isAuthorized == true
        return ProbeFault(
            .rtspTimeout,
            "no answer to \(request) in time" + (hasAnswered ? ", after earlier ones" : ""),
            hasAnswered ? .silentAfterAnswer : nil
        )
    }

    /// Small cameras turn a second viewer away by closing the connection at PLAY.
    func failure(endedBy end: ConnectionEnd, in part: RTSPMessage?) -> ProbeFault {
        let request = stage.rawValue.uppercased()
        if part != nil, stage < .firstFrame {
            let message = "the server \(end.verb) the connection in the middle of its answer to \(request)"
            return ProbeFault(.closedEarly, message, .answerCutOff)
        }
        let frame = picture == nil ? "before the first key frame" : "while it sent video"
        let place = stage == .firstFrame ? frame : "instead of answering \(request)"
        let message = "the server \(end.verb) the connection \(place)"
        return switch stage {
        case .play: ProbeFault(.busy, message + ": it may serve another viewer")
        case .options where settings.url.scheme == .rtsp: ProbeFault(.closedEarly, message, .plainNotUnderstood)
        case .options: ProbeFault(.closedEarly, message, .closedAfterTLS)
        case .setup: ProbeFault(.closedEarly, message, .closedAfterDescribe)
        case .firstFrame: ProbeFault(.closedEarly, message, .closedWhilePlaying)
        case .dns, .tcp, .tls, .describe: ProbeFault(.closedEarly, message)
        }
    }

    func unreadable(_ why: String, in part: RTSPMessage?) -> ProbeFault {
        let isInPlain = settings.url.scheme == .rtsp && stage == .options
        return ProbeFault(.rtspInvalid, why, isInPlain ? .plainNotUnderstood : nil)
    }
}
