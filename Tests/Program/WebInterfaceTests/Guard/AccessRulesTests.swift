import Hummingbird
import StoredSettings
import Testing

@testable import WebInterface

@Suite("Who may use the page")
struct AccessRulesTests {
    private static let session = {
        var sessions = Sessions()
        return (try? sessions.begin(isSignedIn: false, at: 0)).flatMap { sessions.session($0, at: 0) }
    }()

    private func visit(
        _ path: String = "/api/bridge",
        method: HTTPRequest.Method = .get,
        from peer: String = "127.0.0.1"
    )
        -> Visit
    {
        Visit(method: method, path: path, peer: Peer(address: peer), host: "127.0.0.1:9464", session: Self.session)
    }

    private func status(_ visit: Visit, _ configure: (inout WebOptions) -> Void = { _ in }) -> Int? {
        var options = WebOptions(host: "0.0.0.0", port: 9_464)
        configure(&options)
        return AccessRules(options: options).refusal(of: visit)?.status.code
    }

    @Test(
        "Only names that no other site can own are answered",
        arguments: [
            ("localhost:9464", nil), ("127.0.0.1", nil), ("[::1]:9464", nil), ("192.168.1.7:9464", nil),
            ("nas.local:9464", nil), ("NAS.local", nil), ("evil.example", 421), ("127.0.0.1.evil.example", 421),
            ("1.2.3", 421), ("1.2.3.4.5", 421), ("1.2.3.256", 421), ("", 421), ("[::1", 421), ("localhost:x", 421),
            ("user@127.0.0.1", 421),
        ] as [(String, Int?)]
    )
    func rebinding(host: String, expected: Int?) {
        var visit = visit()
        visit.host = host
        #expect(status(visit) { $0.hostNames = ["nas.local"] } == expected)
        visit.host = nil
        #expect(status(visit) == 421)
    }

    @Test("Without a password only this machine is answered, with one only who has signed in")
    func password() throws {
        #expect(status(visit(from: "192.168.1.9")) == 403)
        #expect(status(visit()) == nil)
        #expect(status(visit()) { $0.password = "correct horse" } == 401)
        #expect(status(visit("/")) { $0.password = "correct horse" } == nil)
        var signedIn = visit(from: "192.168.1.9")
        signedIn.session?.isSignedIn = true
        #expect(status(signedIn) { $0.password = "correct horse" } == nil)
    }

    @Test(
        "Before signing in, only the files of the page and the way to sign in are answered, however spelt",
        arguments: [
            ("/", nil), ("//", nil), ("/page.js", nil), ("/api/session", nil), ("/api/login", nil),
            ("//api/login", nil),
            ("/api/bridge", 401), ("//api/bridge", 401), ("/api//bridge/", 401), ("///api///printers/x1/snapshot", 401),
            ("/API/bridge", 401), ("/%61pi/bridge", 401), ("/api", 401), ("/nothing", 401), ("//metrics", 401),
            ("/health/", 401),
        ] as [(String, Int?)]
    )
    func paths(path: String, expected: Int?) {
        #expect(status(visit(path, from: "192.168.1.9")) { $0.password = "correct horse" } == expected)
    }

    @Test("A viewer's token makes up for password, site and host name, at the cameras and nowhere else")
    func viewerToken() {
        for (path, method, expected) in [
            ("/camera/p1/stream", .get, nil), ("/camera/p1/picture.jpg", .head, nil),
            ("//camera//p1/stream", .get, nil),
            ("/camera/p1/stream", .post, 405), ("/camera", .get, 421), ("/api/bridge", .get, 421),
            ("/metrics", .get, 401),
        ] as [(String, HTTPRequest.Method, Int?)] {
            var visit = visit(path, method: method, from: "192.168.1.9")
            (visit.hasViewerToken, visit.host, visit.site) = (true, "evil.example", "cross-site")
            #expect(status(visit) { $0.password = "correct horse" } == expected, "\(method) \(path)")
        }
        #expect(status(visit("/camera/p1/stream")) == nil)
        #expect(status(visit("/camera/p1/stream")) { $0.password = "correct horse" } == 401)
        #expect(status(visit("/camera/p1/stream", from: "192.168.1.9")) == 403)
        var foreign = visit("/camera/p1/stream")
        foreign.site = "cross-site"
        #expect(status(foreign) == 403)
    }

    @Test("What a proxy on this machine passes on is not from this machine")
    func proxy() {
        for path in ["/", "/api/bridge", "/metrics"] {
            var visit = visit(path)
            visit.isForwarded = true
            #expect(status(visit) == 403, "\(path)")
        }
    }

    @Test(
        "Passwords are counted for the address that a named proxy has seen, and else for the connection's",
        arguments: [
            ("127.0.0.1", nil, nil), ("192.0.2.1", nil, "192.0.2.1"), ("192.0.2.1", "192.0.2.2", "192.0.2.1"),
            ("127.0.0.1", "10.9.9.9, 192.0.2.1", "192.0.2.1"), ("::1", "192.0.2.1", "::1"),
            ("10.0.0.1", "10.9.9.9, 192.0.2.1, 127.0.0.1", "192.0.2.1"), ("127.0.0.1", "unknown", "127.0.0.1"),
            ("127.0.0.1", "192.0.2.1, x, 10.0.0.1", "10.0.0.1"), ("127.0.0.1", "2001:db8::7", "2001:db8::1"),
            ("127.0.0.1", "", "127.0.0.1"), ("127.0.0.1", "10.0.0.1", "10.0.0.1"),
        ] as [(String, String?, String?)]
    )
    func forwarded(peer: String, forwardedFor: String?, expected: String?) {
        var options = WebOptions(host: "0.0.0.0", port: 9_464)
        options.trustedProxies = ["127.0.0.1", "10.0.0.1"]
        var visit = visit(from: peer)
        visit.forwardedFor = forwardedFor
        visit.isForwarded = forwardedFor != nil
        let network = AccessRules(options: options).network(of: visit)
        #expect(network == expected.map { Peer(address: $0).network })
    }

    @Test("Connections keep their place longer for this machine, for Home Assistant and with the password")
    func known() {
        var options = WebOptions(host: "0.0.0.0", port: 9_464)
        (options.password, options.trustsIngress) = ("correct horse", true)
        let rules = AccessRules(options: options)
        #expect(rules.isKnown(visit()) && rules.isKnown(visit(from: "172.30.32.2")))
        var other = visit(from: "192.168.1.9")
        #expect(!rules.isKnown(other))
        other.basic = .right
        #expect(rules.isKnown(other))
        other.basic = .wrong
        #expect(!rules.isKnown(other))
        other.session?.isSignedIn = true
        #expect(rules.isKnown(other))
        var proxied = visit()
        proxied.isForwarded = true
        #expect(!rules.isKnown(proxied))
    }

    @Test(
        "On this machine, metrics and health are read only under a name that no other site can own",
        arguments: [
            ("evil.example", 421), ("", 421), (nil, nil), ("localhost:9464", nil), ("127.0.0.1:9464", nil),
            ("farm:9464", nil),
            ("known.example:9464", nil),
        ] as [(String?, Int?)]
    )
    func reboundMetrics(host: String?, status: Int?) {
        var visit = visit("/metrics")
        visit.host = host
        #expect(self.status(visit) { $0.hostNames = ["known.example"] } == status)
    }

    @Test("A change needs the origin of the page and the token of the session")
    func change() {
        var change = visit(method: .post)
        #expect(status(change) == 403)
        change.origin = "http://127.0.0.1:9464"
        #expect(status(change) == 403)
        change.changeToken = Self.session?.changeToken
        #expect(status(change) == nil)
        change.session = nil
        #expect(status(change) == 403)
        change.session = Self.session
        for origin in ["http://evil.example", "null", "http://127.0.0.1:9465", "http://127.0.0.1", "127.0.0.1:9464"] {
            change.origin = origin
            #expect(status(change) == 403, "\(origin)")
        }
    }

    @Test("Scripts of other sites, and of other ports of this host, read nothing")
    func otherSites() {
        for (site, expected) in [("same-origin", nil), ("none", nil), ("same-site", 403), ("cross-site", 403)] {
            var visit = visit()
            visit.site = site
            #expect(status(visit) == expected, "\(site)")
        }
        var link = visit("/")
        link.site = "cross-site"
        #expect(status(link) == nil, "a link to the page may stand anywhere")
    }

    @Test("Home Assistant's ingress is believed only where that is configured, and only from its address")
    func ingress() {
        var visit = visit(from: "172.30.32.2")
        visit.host = "homeassistant.local:8123"
        visit.site = "same-origin"
        #expect(status(visit) == 421)
        #expect(status(visit) { $0.trustsIngress = true } == nil)
        #expect(status(visit) { ($0.trustsIngress, $0.password) = (true, "correct horse") } == nil)
        visit.peer = Peer(address: "::ffff:172.30.32.2")
        #expect(status(visit) { $0.trustsIngress = true } == nil)
        visit.method = .post
        #expect(status(visit) { $0.trustsIngress = true } == 403, "a change needs the token all the same")
        visit.peer = Peer(address: "172.30.32.3")
        #expect(status(visit) { $0.trustsIngress = true } == 421)
    }

    @Test("From elsewhere, metrics and health need the password by HTTP Basic")
    func metrics() {
        var visit = visit("/metrics", from: "192.168.1.9")
        #expect(status(visit) == 403)
        #expect(status(visit) { $0.password = "correct horse" } == 401)
        for (answer, expected) in [(SignIn.wrong, 401), (.tooOften(seconds: 60), 429), (.right, nil)] {
            visit.basic = answer
            #expect(status(visit) { $0.password = "correct horse" } == expected, "\(answer)")
        }
    }
}
