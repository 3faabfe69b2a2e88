import OpenSSL
import Secrets
import Testing

@testable import CameraProtocols

@Suite("Challenges and their answers")
struct AuthenticationChallengeTests {
    private func scheme(_ headers: String..., exposure: AuthenticationScheme.Exposure = .proven)
        -> AuthenticationScheme?
    {
        .strongest(of: headers.flatMap(AuthenticationChallenge.parse), exposure)
    }

    @Test func `The strongest that can be met is taken; Basic only where the server is proven`() throws {
        let (basic, md5) = ("Basic realm=\"r\"", "Digest realm=\"r\", nonce=\"m\"")
        let sha = "Digest realm=\"r\", nonce=\"s\", algorithm=SHA-256, qop=\"auth\""
        for order in [[basic, md5, sha], [sha, md5, basic], [md5, sha, basic]] {
            let challenges = order.flatMap(AuthenticationChallenge.parse)
            guard case .digest(let digest) = AuthenticationScheme.strongest(of: challenges, .plain(.digest)) else {
                Issue.record("no digest")
                continue
            }
            #expect(digest.algorithm == .sha256 && digest.nonce == "s")
        }
        let best = scheme(basic, sha, "Digest realm=\"r\", nonce=\"b\", algorithm=SHA-512-256, qop=\"auth\"")
        guard case .digest(let digest) = best else { return #expect(best != nil) }
        #expect(digest.algorithm == .sha512_256)
        #expect(scheme(basic) == .basic)
        for exposure in [AuthenticationScheme.Exposure.plain(.digest), .unproven] {
            #expect(scheme(basic, exposure: exposure) == nil)
        }
        #expect(scheme(basic, exposure: .plain(.any)) == .basic)
        #expect(scheme(basic, md5, exposure: .plain(.any)) == scheme(md5))
        #expect(scheme(basic, md5, exposure: .plain(.never)) == nil)
        for challenge in [basic, md5] {
            let challenges = AuthenticationChallenge.parse(challenge)
            #expect(AuthenticationScheme.explain(challenges, .plain(.never)).cause == .loginInClear)
        }
        for unusable in [
            "Digest realm=\"r\"", "Digest nonce=\"n\"", "Digest realm=\"r\", nonce=\"\"",
            "Digest realm=\"r\", nonce=\"n\", qop=\"token\"",
            "Digest realm=\"r\", nonce=\"n\", algorithm=SHA-1",
            "Mystery realm=\"r\"",
        ] {
            #expect(scheme(unusable) == nil, "\(unusable)")
        }
    }

    private func request(_ user: String, _ password: String, _ method: String, _ uri: String, _ nonce: String)
        -> DigestRequest
    {
        DigestRequest(user: user, password: Secret(password), method: method, uri: uri, clientNonce: nonce)
    }

    private func digest(_ header: String) throws -> DigestChallenge {
        try #require(AuthenticationChallenge.parse(header).first.flatMap(DigestChallenge.init))
    }

    @Test func `The examples of the specifications`() throws {
        // RFC 7616, section 3.9.1.
        let parameters = """
            Digest realm="http-auth@example.org", qop="auth, auth-int", nonce="7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v", \
            opaque="FQhe/qaU925kfnzjCev0ciny7QMkPqMAFRtzCUYo5tdS", algorithm=
            """
        let nonce = "f2/wE4q74E6zIJEtWaHKaf5wv/H5QzzpXusqGemxURZJ"
        let mufasa = request("Mufasa", "Circle of Life", "GET", "/dir/index.html", nonce)
        #expect(try digest(parameters + "MD5").response(to: mufasa) == "8ca523f5e9506fed4657c9700eebdbec")
        #expect(
            try digest(parameters + "SHA-256").response(to: mufasa)
                == "753927fa0e85d155564e2e272a28d1802ca10daf4496794697cf8db5856cb6c1"
        )
        // RFC 2617, section 3.5.
        let old = try digest(
            "Digest realm=\"testrealm@host.com\", qop=\"auth\", nonce=\"dcd98b7102dd2f0e8b11d0f600bfb0c093\""
        )
        #expect(
            try old.response(to: request("Mufasa", "Circle Of Life", "GET", "/dir/index.html", "0a4f113b"))
                == "6629fae49393a05397450978507c4ef1"
        )
    }

    @Test(arguments: DigestRow.all)
    func `Challenges are understood, and met to the letter`(_ row: DigestRow) throws {
        let headers = row.challenges.map { WireText.text(of: $0.bytes[...]) }
        let challenges = headers.flatMap(AuthenticationChallenge.parse)
        guard case .digest(let digest) = AuthenticationScheme.strongest(of: challenges, .proven) else {
            Issue.record("no digest")
            return
        }
        func hash(_ parts: String...) throws -> String { try row.algorithm.hex(of: parts.joined(separator: ":").bytes) }
        let subject = row.quality == "auth-int" ? try hash("PLAY", "rtsp://h", hash("")) : try hash("PLAY", "rtsp://h")
        let middle = row.quality.map { "\(row.nonce):00000001:c:\($0)" } ?? row.nonce
        let response = try digest.response(to: request("u", "secret", "PLAY", "rtsp://h", "c"))
        #expect(try response == hash(hash("u", row.realm, "secret"), middle, subject))
        #expect(digest.opaque.map(WireText.bytes) == row.opaque?.bytes)
    }

    @Test func `What LIVE555 can read: five quoted parameters in its order, nothing else`() throws {
        let challenge = try digest("Digest realm=\"LIVE555 Streaming Media\", nonce=\"abc\"")
        let request = request("bb\"lp", "code", "DESCRIBE", "rtsp://h/1", "x")
        let (value, response) = (try challenge.authorization(request), try challenge.response(to: request))
        #expect(
            value == """
                Digest username="bb\\"lp", realm="LIVE555 Streaming Media", nonce="abc", uri="rtsp://h/1", response="\(response)"
                """
        )
    }

    @Test func `A password is tried once, and once more only for a stale nonce`() throws {
        let url = try StreamURL(parsing: "rtsps://u:secret@h/")
        let (fresh, stale) = ("Digest realm=\"r\", nonce=\"1\"", "Digest realm=\"r\", nonce=\"2\", stale=true")
        var authenticator = Authenticator(url, clientNonce: "c", isServerProven: true)
        #expect(try authenticator.authorization(method: "X", uri: "u") == nil)
        #expect(authenticator.challenged(by: [fresh], wasAuthorized: false) == .retry)
        #expect(try authenticator.authorization(method: "X", uri: "u")?.contains("nonce=\"1\"") == true)
        var refused = authenticator
        #expect(refused.challenged(by: [fresh], wasAuthorized: true) != .retry)
        #expect(authenticator.challenged(by: [stale], wasAuthorized: true) == .retry)
        #expect(try authenticator.authorization(method: "X", uri: "u")?.contains("nonce=\"2\"") == true)
        #expect(authenticator.challenged(by: [stale], wasAuthorized: true) == .refused(.alwaysStale))
    }

    static let incomplete: [(String, ProbeCause?)] = [
        ("rtsps://h/", .noUser), ("rtsps://u@h/", .noPassword), ("rtsps://:p@h/", .noUser),
        ("rtsps://u:@h/", nil), ("rtsps://u:p@h/", nil),
    ]

    @Test(arguments: incomplete)
    func `No login is tried without user name or password; empty will do`(_ url: String, _ cause: ProbeCause?) throws {
        for header in ["Digest realm=\"r\", nonce=\"1\"", "Basic realm=\"r\""] {
            var authenticator = Authenticator(try StreamURL(parsing: url), clientNonce: "c", isServerProven: true)
            let verdict = authenticator.challenged(by: [header], wasAuthorized: false)
            let fault: ProbeFault? = if case .refused(let fault) = verdict { fault } else { nil }
            #expect(fault?.reason == (cause == nil ? nil : .unauthorized) && fault?.cause == cause)
            #expect((try authenticator.authorization(method: "X", uri: "u") == nil) == (cause != nil))
        }
    }

    @Test func `The next nonce that a server announces is used`() throws {
        let url = try StreamURL(parsing: "rtsps://u:p@h/")
        var authenticator = Authenticator(url, clientNonce: "c", isServerProven: true)
        let header = "Digest realm=\"r\", nonce=\"1\", qop=\"auth\""
        #expect(authenticator.challenged(by: [header], wasAuthorized: false) == .retry)
        _ = try authenticator.authorization(method: "X", uri: "u")
        authenticator.accepted("qop=auth, rspauth=\"ab\", nextnonce=\"two\"")
        let next = try authenticator.authorization(method: "X", uri: "u")
        #expect(next?.contains("nonce=\"two\"") == true && next?.contains("nc=00000001") == true)
        for information in ["nextnonce=\"\"", "", "nextnonce", "\"", "nextnonce=\"open"] {
            authenticator.accepted(information)
        }
        #expect(try authenticator.authorization(method: "X", uri: "u")?.contains("nc=00000002") == true)
    }
}
