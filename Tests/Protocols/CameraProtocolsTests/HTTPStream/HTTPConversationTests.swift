import Foundation
import NIOCore
import Testing

@testable import CameraProtocols
@testable import OpenSSL

@Suite("The conversation with a camera over HTTP")
struct HTTPConversationTests {
    private func talk(
        _ url: String = "http://192.0.2.7:8080/?action=stream",
        _ depth: ProbeDepth = .media,
        clearLogin: ClearLogin = .digest,
        isProven: Bool = false
    ) throws -> HTTPConversation {
        var settings = ConversationSettings(url: try StreamURL(parsing: url), depth: depth, clientNonce: "c")
        settings.clearLogin = clearLogin
        var talk = HTTPConversation(settings)
        talk.isServerProven = isProven
        return talk
    }

    /// One whose request is sent.
    private func started(_ url: String = "http://h/") throws -> HTTPConversation {
        var talk = try talk(url)
        _ = talk.start()
        return talk
    }

    private func answer(_ status: Int, _ headers: MessageHeaders = [:]) -> HTTPParser.Message {
        .response(ResponseMessage(status: status, reason: "Words", headers: headers))
    }

    private static let format = VideoFormat(codec: .mjpeg, width: 64, height: 48)
    private static let picture = HTTPParser.Message.picture(format, [0xff, 0xd8])

    @Test func `The HTTP request keeps host, path and query as written and asks for a connection close`() throws {
        let rows: [(String, String, String)] = [
            ("http://192.0.2.7:8080/?action=stream", "/?action=stream", "192.0.2.7:8080"),
            ("http://cam/webcam/?action=snapshot&x=%2F+y", "/webcam/?action=snapshot&x=%2F+y", "cam"),
            ("http://cam?a", "/?a", "cam"), ("https://cam:443/video", "/video", "cam"),
            ("https://cam:80/", "/", "cam:80"), ("http://[fe80::1%25eth0]:1/", "/", "[fe80::1]:1"),
        ]
        for (url, path, host) in rows {
            var talk = try talk(url)
            let lines = [
                "GET \(path) HTTP/1.1", "Host: \(host)", "User-Agent: printer2mqtt", "Accept: */*", "Connection: close",
            ]
            #expect(talk.start() == [.send(lines.joined(separator: "\r\n") + "\r\n\r\n"), .awaitPicture])
        }
    }

    @Test func `A stream is healthy when a picture begins, at depth media when it is whole`() throws {
        let ok = answer(200, ["Content-Type": "multipart/x-mixed-replace; boundary=b"])
        var routine = try talk("http://h/", .rtsp)
        _ = routine.start()
        #expect(routine.receive(ok) == [])
        #expect(routine.receive(.pictureBegins) == [.completed(.play), .finished])
        var whole = try started()
        #expect(whole.receive(ok) == [] && whole.receive(.pictureBegins) == [.completed(.play)])
        #expect(whole.receive(Self.picture) == [.completed(.firstFrame), .finished])
        #expect(whole.picture != nil && whole.video == Self.format)
        var single = try started()
        _ = single.receive(answer(200, ["Content-Type": "image/jpeg"]))
        _ = single.receive(.pictureBegins)
        #expect(single.receive(Self.picture) == [.completed(.firstFrame), .finished, .ended])
        // It may also be the first one of many, without a type that says so.
        var untyped = try started()
        _ = [answer(200, ["Content-Type": "application/octet-stream"]), .pictureBegins].map { untyped.receive($0) }
        #expect(untyped.receive(Self.picture) == [.completed(.firstFrame), .finished])
        #expect(untyped.receive(.end) == [.ended] && untyped.receive(.closed) == [.ended])
    }

    static let statusRows: [(Int, ProbeReason)] = [
        (301, .redirected), (302, .redirected), (400, .rtspInvalid), (403, .unauthorized), (404, .notFound),
        (405, .rtspInvalid), (410, .notFound), (429, .busy), (500, .rtspInvalid), (501, .rtspInvalid),
        (502, .rtspInvalid), (503, .busy),
    ]

    @Test(arguments: statusRows)
    func `Each status has its reason`(_ status: Int, _ reason: ProbeReason) throws {
        var talk = try started()
        let fault = try #require(Self.fault(talk.receive(answer(status, ["Content-Type": "text/html"]))))
        #expect(fault.reason == reason && fault.message.contains("\(status) Words"))
        #expect(fault.cause == ([500, 502].contains(status) ? .serverFault : nil))
    }

    private static func fault(_ steps: [ConversationStep]) -> ProbeFault? {
        if case .failed(let fault) = steps.last { fault } else { nil }
    }

    @Test func `A redirect is told with its server alone, and followed by nothing`() throws {
        let rows: [(String, String)] = [
            ("https://other:8443/login?token=abc", ", to https://other:8443"),
            ("HTTP://10.0.0.1", ", to http://10.0.0.1:80"), ("//other/login?token=abc", ", to http://other:80"),
            ("/login?token=abc", ", to another path of this server"), ("ftp://x/", ", to another path of this server"),
            ("http://u:topsecret@h/", ", to http://h:80"),
            ("http://192.0.2.7/webcam/?token=abc", ", to another path of this server"),
        ]
        for (location, words) in rows {
            var talk = try started("http://u:topsecret@192.0.2.7/")
            let steps = talk.receive(answer(302, ["Location": location]))
            #expect(steps.count == 1 && Self.fault(steps)?.message.hasSuffix(words) == true, "\(steps)")
        }
    }

    static let typeRows: [(String?, Bool)] = [
        (nil, true), ("image/jpeg", true), ("IMAGE/JPG ; q=1", true), ("multipart/x-mixed-replace", true),
        ("multipart/mixed; boundary=\"a\"", true), ("video/x-motion-jpeg", true), ("application/octet-stream", true),
        ("text/html", false), ("text/html; charset=utf-8", false), ("application/json", false), ("image/png", false),
        ("video/mp4", false), ("", true),
    ]

    @Test(arguments: typeRows)
    func `Only what may be a picture is waited for`(_ type: String?, _ isPicture: Bool) throws {
        var talk = try started()
        let steps = talk.receive(answer(200, type.map { ["Content-Type": $0] } ?? [:]))
        #expect(isPicture ? steps == [] : Self.fault(steps)?.reason == .noVideo, "\(steps)")
    }

    @Test(arguments: [
        ("video/x-h264", false), ("Video/MP4; codecs=a", false), ("audio/aac", false), ("image/png", false),
        ("image/jpeg", true), ("video/x-motion-jpeg", true), ("application/octet-stream", true),
        ("text/plain", true),
    ])
    func `Parts of another medium end the wait at once; text does not`(_ type: String, _ isWaitedFor: Bool) throws {
        var talk = try started()
        _ = talk.receive(answer(200, ["Content-Type": "multipart/x-mixed-replace; boundary=b"]))
        let steps = talk.receive(.part(type: type))
        let fault = Self.fault(steps)
        #expect(
            isWaitedFor ? steps == [] : fault?.reason == .noVideo && fault?.message.contains(type) == true,
            "\(steps)"
        )
    }

    static let digest = "Digest realm=\"r\", nonce=\"n\", qop=\"auth\""
    static let basic = "Basic realm=\"r\""
    /// Address, challenge, what the owner allows, whether the server is proven: the login, or why none is sent.
    static let loginRows: [(String, String, ClearLogin, Bool, String?, ProbeCause?)] = [
        ("http://u:pass@h/a?b", digest, .digest, false, "Digest username=\"u\"", nil),
        ("http://u:pass@h/", digest, .any, false, "Digest username=\"u\"", nil),
        ("http://u:pass@h/", digest, .never, false, nil, .loginInClear),
        ("http://u:pass@h/", basic, .never, true, nil, .loginInClear),
        ("http://u:pass@h/", basic, .digest, true, nil, .basicInClear),
        ("http://u:pass@h/", basic, .any, false, "Basic dTpwYXNz", nil),
        ("https://u:pass@h/", basic, .any, false, nil, .basicWithheld),
        ("https://u:pass@h/", basic, .never, true, "Basic dTpwYXNz", nil),
        ("https://u:pass@h/", digest, .never, false, "Digest username=\"u\"", nil),
        ("http://h/", digest, .digest, false, nil, .noUser), ("http://u@h/", basic, .any, false, nil, .noPassword),
    ]

    @Test(arguments: loginRows)
    func `A login is sent only when it is asked for, and only to whom it may be told`(
        _ url: String,
        _ challenge: String,
        _ clearLogin: ClearLogin,
        _ isProven: Bool,
        _ login: String?,
        _ cause: ProbeCause?
    ) throws {
        var talk = try talk(url, clearLogin: clearLogin, isProven: isProven)
        guard case .send(let first) = talk.start().first else { return #expect(Bool(false)) }
        #expect(!first.contains("Authorization"))
        var steps = talk.receive(answer(401, ["WWW-Authenticate": challenge, "Content-Length": "0"]))
        if steps.isEmpty { steps = talk.receive(.end) }
        if let login {
            guard case .send(let second) = steps.first else { return #expect(Bool(false), "\(steps)") }
            #expect(second.contains("Authorization: \(login)") && second.contains("Connection: close"))
            #expect(login.hasPrefix("Basic") || second.contains("uri=\"\(talk.settings.url.path)\""))
            #expect(!talk.isAuthorized)
            _ = talk.receive(answer(200, ["Content-Type": "image/jpeg"]))
            #expect(talk.isAuthorized)
        } else {
            #expect(Self.fault(steps)?.cause == cause)
        }
    }

    static let staleRows: [(Int, [String?])] = [
        (1, [nil]), (2, [nil, "1"]), (3, [nil, "1", "2"]), (9, [nil, "1", "2"]),
    ]

    @Test(arguments: staleRows)
    func `A nonce that is too old is replaced once, on a further connection if there may be one`(
        _ connections: Int,
        _ nonces: [String?]
    ) throws {
        var settings = try talk("http://u:pass@h/").settings
        settings.connections = connections
        var talk = HTTPConversation(settings)
        var sent: [String?] = []
        var steps: [ConversationStep] = [.reconnect]
        while steps == [.reconnect] {
            guard case .send(let request) = talk.start().first else { break }
            sent.append(request.firstMatch(of: /nonce="(.)"/).map { String($0.1) })
            let challenge = "Digest realm=\"r\", nonce=\"\(sent.count)\"" + (sent.count > 1 ? ", stale=true" : "")
            steps = talk.receive(answer(401, ["WWW-Authenticate": challenge, "Connection": "close"]))
        }
        #expect(sent == nonces && steps == [.failed(.alwaysStale)], "the password was not refused")
    }

    @Test func `The second request waits for the end of the first answer or uses a second connection`() throws {
        let rows: [(MessageHeaders, Bool)] = [
            (["Content-Length": "5"], true), (["Transfer-Encoding": "chunked"], true), ([:], false),
            (["Content-Length": "5", "Connection": "Close"], false),
        ]
        for (headers, isKept) in rows {
            var talk = try started("http://u:pass@h/")
            var headers = headers
            headers.add(name: "WWW-Authenticate", value: Self.digest)
            let steps = talk.receive(answer(401, headers))
            #expect(steps == (isKept ? [] : [.reconnect]))
            // The server ends a connection that it should have kept.
            if isKept { #expect(talk.receive(.closed) == [.reconnect]) }
            #expect(talk.receive(.closed) == [], "never a third connection")
            #expect(talk.failure(endedBy: .closed, in: nil).reason == .closedEarly)
        }
    }

    @Test(arguments: [true, false])
    func `What is missing is named`(_ hasAnswered: Bool) throws {
        var talk = try started()
        #expect(talk.unreadable("x", in: answer(200)).cause == nil)
        #expect(talk.unreadable("x", in: nil).cause == .plainNotUnderstood, "a reason to try TLS")
        if hasAnswered { _ = talk.receive(answer(200)) }
        #expect(talk.timeout(in: nil).reason == (hasAnswered ? .noFrame : .rtspTimeout))
        #expect(talk.failure(endedBy: .closed, in: nil).reason == .closedEarly)
        #expect(talk.timeout(in: answer(200)).cause == .answerCutOff)
        #expect(Self.fault(talk.receive(.end))?.reason == .noVideo)
        _ = talk.receive(.pictureBegins)
        #expect(talk.timeout(in: nil).reason == .noFrame && talk.unreadable("x", in: nil).reason == .noFrame)
        #expect(Self.fault(talk.receive(.end))?.reason == .closedEarly)
    }

    /// A probe of an address with TLS up to the demand of a login, whose second connection may show another certificate.
    private func reconnected(_ second: String) throws -> (actions: [ProbeAction], report: ProbeReport) {
        var run = MachineRun(try talk("https://u:pass@h/", .rtsp, isProven: true))
        func secured(_ fingerprint: String) -> TLSHandshakeCompleted {
            let certificate = CertificateReport(named: "", fingerprint: fingerprint)
            return TLSHandshakeCompleted(certificate: certificate, protocolVersion: .tls13, isPeerProven: true)
        }
        let challenge = answer(401, ["WWW-Authenticate": Self.basic])
        let socket = try SocketAddress(ipAddress: "192.0.2.7", port: 443)
        let events: [ProbeStateMachine<HTTPConversation>.Event] = [
            .started, .resolved([socket]), .connected, .secured(secured("a")), .message(challenge), .ended(.closed),
            .closed, .connected, .secured(secured(second)), .message(answer(200)), .message(.pictureBegins), .closed,
        ]
        run.give(events)
        return (run.actions, run.machine.report)
    }

    @Test func `The second connection follows the first one's end, to the same address and certificate`() throws {
        let (actions, report) = try reconnected("a")
        #expect(report.isHealthy && report.connections == 2 && report.isAuthorized, "\(report)")
        let socket = try SocketAddress(ipAddress: "192.0.2.7", port: 443)
        let way = actions.filter { $0 == .connect(socket) || $0 == .close }
        #expect(way == [.connect(socket), .close, .connect(socket), .close])
        let sent = actions.compactMap { if case .send(let text) = $0 { text.contains("Authorization") } else { nil } }
        #expect(sent == [false, true])
        #expect(
            actions.contains(.setTimer(.stage, ProbeDeadlines().firstFrame)),
            "a picture comes when the camera has one"
        )
        let other = try reconnected("b")
        #expect(other.report.failure?.reason == .certificateChanged)
        #expect(other.actions.count { if case .send = $0 { true } else { false } } == 1, "no login for a stranger")
    }

    @Test func `A probe cancelled or out of time between its two connections does not open the second`() throws {
        for event in [ProbeStateMachine<HTTPConversation>.Event.cancelled, .deadline(.overall)] {
            var run = MachineRun(try talk("http://u:pass@h/"))
            let socket = try SocketAddress(ipAddress: "192.0.2.7", port: 80)
            let challenge = answer(401, ["WWW-Authenticate": Self.digest])
            run.give([.started, .resolved([socket]), .connected, .message(challenge), event, .closed])
            #expect(run.connects == 1 && run.closes == 1)
            #expect(run.report?.isHealthy == false && run.report?.connections == 1)
        }
    }
}
