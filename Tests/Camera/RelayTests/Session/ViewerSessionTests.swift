import Testing

@testable import CameraProtocols
@testable import Relay

@Suite("A viewer's requests")
struct ViewerSessionTests {
    fileprivate static let url = "rtsp://bridge:9554/x1c"
    private static let tcp: MessageHeaders = ["Transport": "RTP/AVP/TCP;unicast;interleaved=0-1"]
    private static let inSession: MessageHeaders = ["Session": "5e55"]

    fileprivate static func session() -> ViewerSession {
        ViewerSession(sessionID: "5e55", challenges: ["Digest realm=\"r\"", "Digest realm=\"s\""])
    }

    enum Phase: Sendable { case beginning, described, playing }

    /// One viewer, and the answers it has got.
    private struct Viewer {
        var session = ViewerSessionTests.session()
        var verdict = ViewerVerdict.allowed(token: nil)
        private var sequence = 0

        init(verdict: ViewerVerdict = .allowed(token: nil)) { self.verdict = verdict }

        /// The status of the answer, and the steps beside it.
        mutating func ask(_ method: String, _ url: String = url, _ headers: MessageHeaders = [:], body: [UInt8] = [])
            -> [String]
        {
            sequence += 1
            var request = RequestMessage(method: method, url: url)
            request.headers = ["CSeq": "\(sequence)"]
            for field in headers.fields { request.headers.add(name: field.name, value: field.value) }
            request.body = body
            return steps(session.receive(request) { [verdict] _ in verdict })
        }

        mutating func described(_ result: Result<String, ViewerRefusal> = .success("v=0\r\n")) -> [String] {
            steps(session.described(result) { [verdict] _ in verdict })
        }

        func steps(_ actions: [ViewerSession.Action]) -> [String] {
            actions.map { action in
                switch action {
                case .send(let text): String(text.dropFirst("RTSP/1.0 ".count).prefix(3))
                case .describe(let name): "describe \(name)"
                case .play: "play"
                case .stop: "stop"
                case .close: "close"
                }
            }
        }

        init(after phase: Phase) {
            guard phase != .beginning else { return }
            _ = ask("DESCRIBE")
            _ = described()
            guard phase == .playing else { return }
            _ = ask("SETUP", url + "/track1", tcp)
            _ = ask("PLAY", url, inSession)
        }
    }

    @Test func `From OPTIONS to TEARDOWN, and again`() {
        var viewer = Viewer()
        for _ in 0..<2 {
            #expect(viewer.ask("OPTIONS") == ["200"])
            #expect(viewer.ask("DESCRIBE") == ["describe x1c"])
            #expect(viewer.described() == ["200"])
            #expect(viewer.ask("SETUP", Self.url + "/track1", Self.tcp) == ["200"])
            #expect(viewer.ask("PLAY", Self.url + "/", Self.inSession) == ["200", "play"])
            #expect(viewer.ask("PLAY", Self.url + "/", Self.inSession) == ["200"])
            #expect(viewer.ask("GET_PARAMETER", Self.url, Self.inSession) == ["200"])
            #expect(viewer.ask("TEARDOWN", Self.url, Self.inSession) == ["stop", "200"])
        }
    }

    @Test func `The answers word by word`() {
        var session = Self.session()
        func request(_ method: String, _ url: String = Self.url, _ headers: MessageHeaders = ["CSeq": "4"])
            -> RequestMessage
        {
            RequestMessage(method: method, url: url, headers: headers)
        }
        let allow = { (_: RequestMessage) in ViewerVerdict.allowed(token: nil) }
        let methods = "OPTIONS, DESCRIBE, SETUP, PLAY, GET_PARAMETER, SET_PARAMETER, TEARDOWN"
        #expect(
            session.receive(request("OPTIONS"), allow) == [
                .send("RTSP/1.0 200 OK\r\nCSeq: 4\r\nPublic: \(methods)\r\n\r\n")
            ]
        )
        _ = session.receive(request("DESCRIBE", Self.url + "?a=b"), allow)
        #expect(
            session.described(.success("v=0\r\n"), allow) == [
                .send(
                    "RTSP/1.0 200 OK\r\nCSeq: 4\r\nContent-Base: rtsp://bridge:9554/x1c/\r\n"
                        + "Content-Type: application/sdp\r\nContent-Length: 5\r\n\r\nv=0\r\n"
                )
            ]
        )
        let offer = "RTP/AVP;unicast;client_port=5000-5001,RTP/AVP/TCP;unicast;interleaved=2-3"
        let setUp = request("SETUP", Self.url + "/track1", ["CSeq": "4", "Transport": offer])
        #expect(
            session.receive(setUp, allow) == [
                .send(
                    "RTSP/1.0 200 OK\r\nCSeq: 4\r\nTransport: RTP/AVP/TCP;unicast;interleaved=0-1\r\n"
                        + "Session: 5e55;timeout=60\r\n\r\n"
                )
            ]
        )
        let usage = "Use rtsp://HOST:PORT/ID, with the printer's ID, over TCP and without TLS.\n"
        let content = "Content-Type: text/plain\r\nContent-Length: \(usage.utf8.count)\r\n\r\n\(usage)"
        #expect(session.unreadable() == [.send("RTSP/1.0 400 Bad Request\r\n\(content)"), .close])
        let lost = request("DESCRIBE", "rtsp://bridge:9554/streaming/live/1")
        let answer = "RTSP/1.0 404 Stream Not Found\r\nCSeq: 4\r\n\(content)"
        #expect(session.receive(lost, allow) == [.send(answer)])
    }

    struct Row: Sendable, CustomTestStringConvertible {
        let method: String
        let url: String
        let headers: MessageHeaders
        let body: [UInt8]
        let steps: [String]

        init(
            _ method: String,
            _ url: String = ViewerSessionTests.url,
            _ headers: MessageHeaders = [:],
            body: [UInt8] = [],
            gives steps: String...
        ) {
            (self.method, self.url, self.headers, self.body, self.steps) = (method, url, headers, body, steps)
        }

        var testDescription: String { "\(method) \(url) \(headers.fields.map(\.value)): \(steps)" }
    }

    static let first = [
        Row("PAUSE", gives: "405"), Row("ANNOUNCE", gives: "405"), Row("RECORD", gives: "405"),
        Row("BREW", gives: "501"),
        Row("PLAY", url, inSession, gives: "454"), Row("TEARDOWN", gives: "454"),
        Row("SETUP", url + "/track1", tcp, gives: "455"),
        Row("GET_PARAMETER", url, inSession, gives: "454"), Row("GET_PARAMETER", gives: "200"),
        Row("SET_PARAMETER", gives: "200"),
        Row("SET_PARAMETER", url, body: [1], gives: "451"), Row("DESCRIBE", url + "/track1", gives: "404"),
        Row("DESCRIBE", "rtsp://bridge:9554/", gives: "404"), Row("DESCRIBE", "*", gives: "404"),
        Row("DESCRIBE", "http://b/x1c", gives: "404"),
        Row("DESCRIBE", url + "/track2", gives: "404"), Row("DESCRIBE", url + "/track1/more", gives: "404"),
        Row("DESCRIBE", url, ["Require": "www.onvif.org/ver20/backchannel"], gives: "551"),
    ]

    static let described = [
        Row("SETUP", url + "/track1", ["Transport": "RTP/AVP;unicast;client_port=5000-5001"], gives: "461"),
        Row("SETUP", url + "/track1", ["Transport": "RTP/AVP/TCP;multicast"], gives: "461"),
        Row("SETUP", url + "/track1", gives: "461"),
        Row("SETUP", url, tcp, gives: "404"), Row("SETUP", "rtsp://bridge/p1s/track1", tcp, gives: "404"),
        Row("DESCRIBE", "rtsp://bridge/p1s", gives: "404"), Row("PLAY", gives: "454"),
        Row("DESCRIBE", gives: "describe x1c"),
    ]

    static let later = [
        Row("SETUP", url + "/track1", tcp, gives: "455"), Row("DESCRIBE", gives: "455"), Row("PLAY", gives: "454"),
        Row("TEARDOWN", gives: "454"),
        Row("TEARDOWN", url, ["Session": "other"], gives: "454"),
        Row("TEARDOWN", url + "/track1", inSession, gives: "stop", "200"),
        Row("TEARDOWN", "rtsp://bridge/p1s", inSession, gives: "404"), Row("OPTIONS", url, inSession, gives: "200"),
    ]

    @Test(
        arguments: first.map { (Phase.beginning, $0) } + described.map { (.described, $0) }
            + later.map { (.playing, $0) }
    )
    func `Requests have their answers at first, after the description, and while the stream plays`(
        _ phase: Phase,
        _ row: Row
    ) {
        var viewer = Viewer(after: phase)
        #expect(viewer.ask(row.method, row.url, row.headers, body: row.body) == row.steps)
        if phase == .beginning { #expect(viewer.ask("DESCRIBE") == ["describe x1c"]) }
    }

    @Test func `Requests wait for the description in order, and only a few of them`() {
        var viewer = Viewer()
        #expect(viewer.ask("DESCRIBE") == ["describe x1c"])
        #expect(viewer.ask("SETUP", Self.url + "/track1", Self.tcp) == [])
        #expect(viewer.ask("PLAY", Self.url, Self.inSession) == [])
        #expect(viewer.described() == ["200", "200", "200", "play"])
        var hasty = Viewer()
        _ = hasty.ask("DESCRIBE")
        for _ in 0..<8 { #expect(hasty.ask("OPTIONS") == []) }
        #expect(hasty.ask("OPTIONS") == ["close"])
    }

    @Test func `A camera that cannot be viewed is told by its status, and may be asked for again`() {
        var viewer = Viewer()
        _ = viewer.ask("DESCRIBE")
        let refusal = ViewerRefusal(status: .unavailable, message: "Not now.", retryAfter: 3)
        #expect(viewer.described(.failure(refusal)) == ["503", "stop"])
        #expect(viewer.ask("DESCRIBE") == ["describe x1c"])
    }

    @Test func `Without a login only OPTIONS is answered`() {
        var viewer = Viewer(verdict: .challenge)
        #expect(viewer.ask("OPTIONS") == ["200"])
        for method in ["DESCRIBE", "SETUP", "PLAY", "TEARDOWN", "GET_PARAMETER", "SET_PARAMETER"] {
            #expect(viewer.ask(method) == ["401"], "\(method)")
        }
        viewer.verdict = .wait(seconds: 60)
        #expect(viewer.ask("DESCRIBE") == ["403", "close"])
    }

    @Test func `A login with another nonce is asked for again, in a way that needs no person`() {
        var session = Self.session()
        let request = RequestMessage(method: "DESCRIBE", url: Self.url, headers: ["CSeq": "1"])
        for (verdict, end) in [(ViewerVerdict.challenge, ""), (.stale, ", stale=true")] {
            guard case .send(let text)? = session.receive(request, { _ in verdict }).first else { return }
            let asked = ["r", "s"].map { "WWW-Authenticate: Digest realm=\"\($0)\"\(end)\r\n" }.joined()
            #expect(text.contains(asked))
        }
    }

    @Test(arguments: [
        ("rtsp://b/x1c", "rtsp://b/x1c/track1", true), ("rtsp://b:9554/x1c/", "rtsp://b/x1c", true),
        ("rtsp://b/p2s", "rtsp://b/x1c", false), ("", "rtsp://b/x1c", false),
    ])
    func `A login is for one camera, by its address or track's`(_ login: String, _ request: String, _ isSame: Bool) {
        #expect(RelayAddress.isSameCamera(login, request) == isSame)
    }
}
