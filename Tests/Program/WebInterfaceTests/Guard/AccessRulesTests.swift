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
    { Visit(method: method, path: path, peer: Peer(address: peer), host: "127.0.0.1:9464", session: Self.session) }

    private func status(_ visit: Visit, _ configure: (inout WebOptions) -> Void = { _ in }) -> Int? {
        var options = WebOptions(host: "0.0.0.0", port: 9_464)
        configure(&options)
        return AccessRules(options: options).refusal(of: visit)?.status.code
    }

    @Test(
        arguments: [
            ("localhost:9464", nil), ("127.0.0.1", nil), ("[::1]:9464", nil), ("192.168.1.7:9464", nil),
            ("nas.local:9464", nil), ("NAS.local", nil), ("evil.example", 421), ("127.0.0.1.evil.example", 421),
            ("1.2.3", 421), ("1.2.3.4.5", 421), ("1.2.3.256", 421), ("", 421), ("[::1", 421), ("localhost:x", 421),
            ("user@127.0.0.1", 421),
        ] as [(String, Int?)]
    )
    func `Only names that no other site can own are answered`(host: String, expected: Int?) {
        var visit = visit()
        visit.host = host
        #expect(status(visit) { $0.hostNames = ["nas.local"] } == expected)
        visit.host = nil
        #expect(status(visit) == 421)
    }

    @Test func `Without a password only this machine is answered, with one only who has signed in`() throws {
        #expect(status(visit(from: "192.168.1.9")) == 403)
        #expect(status(visit()) == nil)
        #expect(status(visit()) { $0.password = "correct horse" } == 401)
        #expect(status(visit("/")) { $0.password = "correct horse" } == nil)
        var signedIn = visit(from: "192.168.1.9")
        signedIn.session?.isSignedIn = true
        #expect(status(signedIn) { $0.password = "correct horse" } == nil)
    }

    @Test(
        arguments: [
            ("/", nil), ("//", nil), ("/page.js", nil), ("/api/session", nil), ("/api/login", nil),
            ("//api/login", nil),
            ("/api/bridge", 401), ("//api/bridge", 401), ("/api//bridge/", 401), ("///api///printers/x1/snapshot", 401),
            ("/API/bridge", 401), ("/%61pi/bridge", 401), ("/api", 401), ("/nothing", 401), ("//metrics", 401),
            ("/health/", 401),
        ] as [(String, Int?)]
    )
    func `Before signing in, only page files and the sign-in are answered, whatever the spelling`(
        path: String,
        expected: Int?
    ) { #expect(status(visit(path, from: "192.168.1.9")) { $0.password = "correct horse" } == expected) }

    @Test func `A viewer's token replaces password, site and host name, only at the cameras`() {
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

    @Test func `What a proxy on this machine passes on is not from this machine`() {
        for path in ["/", "/api/bridge", "/metrics"] {
            var visit = visit(path)
            visit.isForwarded = true
            #expect(status(visit) == 403, "\(path)")
        }
    }

    @Test(
        arguments: [
            ("127.0.0.1", nil, nil), ("192.0.2.1", nil, "192.0.2.1"), ("192.0.2.1", "192.0.2.2", "192.0.2.1"),
            ("127.0.0.1", "10.9.9.9, 192.0.2.1", "192.0.2.1"), ("::1", "192.0.2.1", "::1"),
            ("10.0.0.1", "10.9.9.9, 192.0.2.1, 127.0.0.1", "192.0.2.1"), ("127.0.0.1", "unknown", "127.0.0.1"),
            ("127.0.0.1", "192.0.2.1, x, 10.0.0.1", "10.0.0.1"), ("127.0.0.1", "2001:db8::7", "2001:db8::1"),
            ("127.0.0.1", "", "127.0.0.1"), ("127.0.0.1", "10.0.0.1", "10.0.0.1"),
        ] as [(String, String?, String?)]
    )
    func `Passwords count for the address a trusted proxy reports, or else for the connection's`(
        peer: String,
        forwardedFor: String?,
        expected: String?
    ) {
        var options = WebOptions(host: "0.0.0.0", port: 9_464)
        options.trustedProxies = ["127.0.0.1", "10.0.0.1"]
        var visit = visit(from: peer)
        visit.forwardedFor = forwardedFor
        visit.isForwarded = forwardedFor != nil
        let network = AccessRules(options: options).network(of: visit)
        #expect(network == expected.map { Peer(address: $0).network })
    }

    @Test func `Connections of this machine, of Home Assistant or with the password are kept longer`() {
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
        arguments: [
            ("evil.example", 421), ("", 421), (nil, nil), ("localhost:9464", nil), ("127.0.0.1:9464", nil),
            ("farm:9464", nil),
            ("known.example:9464", nil),
        ] as [(String?, Int?)]
    )
    func `On this machine, metrics and health need a host name that no other site can own, and no password`(
        host: String?,
        status: Int?
    ) {
        var visit = visit("/metrics")
        visit.host = host
        #expect(self.status(visit) { ($0.hostNames, $0.password) = (["known.example"], "correct horse") } == status)
        visit.method = .post
        #expect(self.status(visit) == 405)
    }

    @Test func `A change needs the origin of the page and the token of the session`() {
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

    @Test func `Scripts of other sites, and of other ports of this host, read nothing`() {
        for (site, expected) in [("same-origin", nil), ("none", nil), ("same-site", 403), ("cross-site", 403)] {
            var visit = visit()
            visit.site = site
            #expect(status(visit) == expected, "\(site)")
        }
        var link = visit("/")
        link.site = "cross-site"
        #expect(status(link) == nil, "a link to the page may stand anywhere")
    }

    @Test func `Home Assistant's ingress is trusted only if configured, and only from its address`() {
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

    @Test func `From elsewhere, metrics and health need the password by HTTP Basic`() {
        var visit = visit("/metrics", from: "192.168.1.9")
        #expect(status(visit) == 403)
        #expect(status(visit) { $0.password = "correct horse" } == 401)
        for (answer, expected) in [(SignIn.wrong, 401), (.tooOften(seconds: 60), 429), (.right, nil)] {
            visit.basic = answer
            #expect(status(visit) { $0.password = "correct horse" } == expected, "\(answer)")
        }
    }
}
