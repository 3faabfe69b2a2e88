import Testing

@testable import CameraProtocols

@Suite("The conversation")
struct RTSPConversationTests {
    private func conversation() throws -> RTSPConversation {
        RTSPConversation(.init(url: try StreamURL(parsing: "rtsps://u:secret@h/a"), depth: .media, clientNonce: "c"))
    }

    /// One whose first request is sent.
    private func started() throws -> RTSPConversation {
        var talk = try conversation()
        _ = talk.start()
        return talk
    }

    private func ok(_ sequence: Int, _ headers: MessageHeaders = [:], body: String = "") -> RTSPMessage {
        answer(200, sequence, headers, body: body)
    }

    private func answer(_ status: Int, _ sequence: Int, _ headers: MessageHeaders = [:], body: String = "")
        -> RTSPMessage
    {
        var all = headers
        all.add(name: "CSeq", value: String(sequence))
        return .response(ResponseMessage(status: status, reason: "Reason", headers: all, body: Array(body.utf8)))
    }

    private func failure(_ steps: [ConversationStep]) -> ProbeFault? {
        if case .failed(let fault) = steps.last { fault } else { nil }
    }

    private func sent(_ steps: [ConversationStep]) -> String {
        steps.compactMap { step in
            switch step {
            case .send(let text), .reply(let text): text
            case _: nil
            }
        }
        .joined()
    }

    /// One that asks for the description.
    private func describing() throws -> RTSPConversation {
        var talk = try started()
        _ = talk.receive(ok(1))
        return talk
    }

    /// Up to PLAY's answer.
    private func playing() throws -> RTSPConversation {
        var talk = try describing()
        _ = talk.receive(ok(2, ["Content-Base": "rtsp://other/b/"], body: SessionDescriptionTests.printer))
        _ = talk.receive(ok(3, ["Session": "AB;timeout=65", "Transport": "RTP/AVP/TCP;interleaved=2-3"]))
        return talk
    }

    @Test func `From OPTIONS to TEARDOWN, word by word`() throws {
        var talk = try conversation()
        let agent = "User-Agent: printer2mqtt\r\n"
        #expect(talk.start() == [.send("OPTIONS rtsps://h:322/a RTSP/1.0\r\nCSeq: 1\r\n\(agent)\r\n")])
        #expect(
            talk.receive(ok(1, ["Server": "S\u{7}"])) == [
                .completed(.options),
                .send("DESCRIBE rtsps://h:322/a RTSP/1.0\r\nCSeq: 2\r\n\(agent)Accept: application/sdp\r\n\r\n"),
            ]
        )
        let description = ok(2, ["Content-Base": "rtsp://other/b/"], body: SessionDescriptionTests.printer)
        #expect(
            talk.receive(description) == [
                .completed(.describe),
                .send(
                    "SETUP rtsp://other/b/track1 RTSP/1.0\r\nCSeq: 3\r\n\(agent)"
                        + "Transport: RTP/AVP/TCP;unicast;interleaved=0-1\r\n\r\n"
                ),
            ]
        )
        #expect(talk.isSettingUp)
        #expect(
            talk.receive(ok(3, ["Session": "AB;timeout=65", "Transport": "RTP/AVP/TCP;interleaved=2-3"])) == [
                .completed(.setup),
                .send("PLAY rtsp://other/b/ RTSP/1.0\r\nCSeq: 4\r\n\(agent)Session: AB\r\nRange: npt=0.000-\r\n\r\n"),
            ]
        )
        #expect(talk.receive(ok(4)) == [.completed(.play)])
        #expect(talk.session == .init(id: "AB", channel: 2) && talk.stage == .firstFrame)
        #expect(
            talk.teardownRequest(after: nil)
                == "PAUSE rtsp://other/b/ RTSP/1.0\r\nCSeq: 5\r\n\(agent)Session: AB\r\n\r\n"
        )
        #expect(!talk.isAnswer(ok(4)) && talk.isAnswer(ok(5)))
        #expect(
            talk.teardownRequest(after: nil)
                == "TEARDOWN rtsp://other/b/ RTSP/1.0\r\nCSeq: 6\r\n\(agent)Session: AB\r\n\r\n"
        )
        #expect(talk.teardownRequest(after: nil) == nil && talk.finalRequest(after: nil) == nil)
    }

    @Test func `A challenged request is sent again with its headers, and later requests are authorised`() throws {
        var talk = try describing()
        let again = sent(talk.receive(answer(401, 2, ["WWW-Authenticate": "Digest realm=\"r\", nonce=\"n\""])))
        #expect(again.hasPrefix("DESCRIBE rtsps://h:322/a RTSP/1.0\r\nCSeq: 3\r\nAuthorization: Digest username=\"u\""))
        #expect(again.contains("uri=\"rtsps://h:322/a\"") && again.contains("Accept: application/sdp"))
        #expect(!again.contains("secret"))
        let setup = sent(talk.receive(ok(3, body: SessionDescriptionTests.printer)))
        #expect(setup.contains("uri=\"rtsps://h:322/a/track1\""))
        #expect(failure(talk.receive(answer(401, 4)))?.reason == .unauthorized)
    }

    static let statusesRows: [(Int, ProbeReason)] = [
        (300, .redirected), (302, .redirected), (305, .redirected), (400, .rtspInvalid), (401, .rtspInvalid),
        (402, .rtspInvalid), (403, .unauthorized), (404, .notFound), (406, .rtspInvalid), (407, .unauthorized),
        (410, .notFound), (453, .busy), (454, .rtspInvalid), (461, .rtspInvalid), (500, .rtspInvalid), (503, .busy),
        (505, .rtspInvalid), (551, .rtspInvalid),
    ]

    @Test(arguments: statusesRows)
    func `Each status has its reason`(_ status: Int, _ reason: ProbeReason) throws {
        var talk = try describing()
        let fault = try #require(failure(talk.receive(answer(status, 2))))
        #expect(fault.reason == reason && (fault.cause == .notAcceptable) == (status == 406))
        #expect(status == 401 || fault.message.contains("\(status) Reason"))
    }

    @Test(arguments: [
        ("rtsp://192.0.2.1/a", "rtsp://192.0.2.1:554"), ("rtsp://u:secret@h/b", "rtsp://h:554"),
        ("rtsps://h:322/b", "another path of this server"), ("rtsps://elsewhere/?t=secret", "rtsps://elsewhere:322"),
        ("/secret", "another path of this server"), ("", "another path of this server"),
    ])
    func `A redirect is told with its server alone, and not followed`(_ location: String, _ place: String) throws {
        var talk = try started()
        var steps = talk.receive(answer(302, 1, ["Location": location]))
        // To the plain address of the same stream: asked once more, but here.
        if location == "rtsp://192.0.2.1/a" {
            #expect(sent(steps).hasPrefix("OPTIONS rtsp://h:322/a RTSP/1.0\r\nCSeq: 2\r\n"))
            steps = talk.receive(answer(301, 2, ["Location": location]))
        }
        let fault = try #require(failure(steps))
        #expect(fault.reason == .redirected && fault.message.hasSuffix("Reason, to \(place)"), "\(fault)")
    }

    @Test func `A server behind a TLS proxy gets the plain addresses that it asks for, to the end`() throws {
        var talk = try started()
        _ = talk.receive(answer(301, 1, ["Location": "rtsp://10.0.0.1:8554/a"]))
        #expect(sent(talk.receive(ok(2))).hasPrefix("DESCRIBE rtsp://h:322/a RTSP/1.0\r\nCSeq: 3\r\n"))
        #expect(
            sent(talk.receive(ok(3, body: SessionDescriptionTests.printer))).hasPrefix("SETUP rtsp://h:322/a/track1")
        )
    }

    @Test(arguments: [(405, true), (501, true), (400, true), (404, false), (503, false)])
    func `The answer to OPTIONS may be any refusal but these`(_ status: Int, _ goesOn: Bool) throws {
        var talk = try started()
        #expect(sent(talk.receive(answer(status, 1))).hasPrefix("DESCRIBE") == goesOn)
    }

    @Test func `Answers are matched by CSeq; none at all is forgiven, interim ones are passed over`() throws {
        var talk = try started()
        #expect(talk.receive(answer(100, 1)) == [])
        var other = talk
        #expect(sent(other.receive(.response(ResponseMessage(status: 200)))).hasPrefix("DESCRIBE"))
        for number in [0, 2, 100] {
            var copy = talk
            #expect(failure(copy.receive(ok(number)))?.reason == .rtspInvalid, "CSeq \(number) was taken")
        }
    }

    @Test func `Requests of the server are answered, but not for ever`() throws {
        var talk = try started()
        let options = RequestMessage(method: "OPTIONS", url: "*", headers: ["CSeq": "9", "Session": "x"])
        #expect(
            talk.receive(.request(options)) == [
                .reply(
                    "RTSP/1.0 200 OK\r\nCSeq: 9\r\nSession: x\r\nPublic: OPTIONS, GET_PARAMETER, SET_PARAMETER\r\n\r\n"
                )
            ]
        )
        #expect(
            sent(talk.receive(.request(RequestMessage(method: "RECORD", url: "*"))))
                == "RTSP/1.0 501 Not Implemented\r\n\r\n"
        )
        let last = (0..<40).map { _ in talk.receive(.request(options)) }.last ?? []
        #expect(failure(last)?.reason == .rtspInvalid, "a flood of requests is answered for ever")
    }

    @Test func `Frames count on the negotiated channel only, and also before PLAY is answered`() throws {
        let rtp: [UInt8] = [0x80, 0xe0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1, 0x65, 0x88, 1]
        var talk = try playing()
        #expect(talk.receive(.interleaved(channel: 0, payload: rtp)) == [])
        #expect(talk.receive(.interleaved(channel: 3, payload: rtp)) == [])
        var early = talk
        #expect(talk.receive(ok(4)) == [.completed(.play)])
        #expect(talk.frameProgress == "no video came")
        let other = [rtp[0], 0xe1] + rtp.dropFirst(2)
        #expect(talk.receive(.interleaved(channel: 2, payload: other)) == [])
        #expect(talk.frameProgress == "packets came (1), but none of the payload type 96 that the description names")
        #expect(talk.receive(.interleaved(channel: 2, payload: rtp)) == [.completed(.firstFrame), .finished])
        #expect(early.receive(.interleaved(channel: 2, payload: rtp)) == [])
        #expect(early.receive(ok(4)) == [.completed(.play), .completed(.firstFrame), .finished])
        let sets = try #require(SessionDescription(Array(SessionDescriptionTests.printer.utf8))?.video?.parameterSets)
        let units = sets + [Array(rtp.suffix(3))]
        #expect(talk.picture == CodedPicture(codec: .h264, bytes: units.flatMap { [0, 0, 0, 1] + $0 }))
    }

    static let transports: [(String?, UInt8?)] = [
        (nil, 0), ("RTP/AVP/TCP;unicast", 0), ("RTP/AVP/TCP;unicast;interleaved=4-5", 4),
        ("rtp/avp/tcp; INTERLEAVED=6", 6),
        ("RTP/AVP;unicast;client_port=1-2", nil), ("RTP/AVP/TCP;interleaved=300-301", nil),
        ("RTP/AVP/TCP;interleaved=x", nil), ("RTP/AVP/TCP;interleaved=-1", nil), ("", nil),
        ("RTP/AVP/TCP;mode=\"PLAY,RECORD\";interleaved=4-5", 4), ("RTP/AVP/TCP;interleaved=\"4-5\"", 4),
        ("RTP/AVP/TCP;interleaved=4-5;mode=\"PLAY", 4), ("RTP/AVP;mode=\"PLAY\",RTP/AVP/TCP;interleaved=4-5", nil),
    ]

    @Test(arguments: transports)
    func `The channel comes from the answer to SETUP`(_ header: String?, _ channel: UInt8?) {
        #expect(InterleavedTransport.channel(in: header) == channel)
    }

    @Test func `A session that comes after it was given up is known, to be torn down`() throws {
        var talk = try describing()
        _ = talk.receive(ok(2, body: SessionDescriptionTests.printer))
        var refused = talk
        #expect(refused.teardownRequest(after: answer(503, 3, ["Session": "X"])) == nil)
        #expect(
            talk.teardownRequest(after: ok(3, ["Session": "X;timeout=1"]))?.contains(
                "CSeq: 4\r\nUser-Agent: printer2mqtt\r\nSession: X\r\n"
            ) == true
        )
    }

    @Test(arguments: ["A", "A;timeout=65", " A ; Timeout = 5", "A;x=1;y"])
    func `The session's id ends before its parameters`(_ header: String) {
        #expect(InterleavedTransport.sessionID(in: header) == "A")
    }
}
