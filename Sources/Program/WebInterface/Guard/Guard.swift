import Bridge
import Foundation
import HTTPTypes
import Hummingbird
import Platform
import Printers
import Secrets
import Synchronization

/// Refuses requests that ``AccessRules`` do not allow, and knows the sessions.
final class Guard: RouterMiddleware {
    typealias Context = PageContext

    private struct State {
        var sessions = Sessions()
        var attempts = PasswordAttempts()
    }

    private let rules: AccessRules
    private let places: ConnectionPlaces
    private let tokens: ViewerTokens
    private let instance: String
    private let state = Mutex(State())
    private let start = ContinuousClock.now

    init(rules: AccessRules, places: ConnectionPlaces, tokens: ViewerTokens, instance: String) {
        self.rules = rules
        self.places = places
        self.tokens = tokens
        self.instance = instance
    }

    func needsPassword(_ context: PageContext) -> Bool {
        rules.options.password != nil && !rules.isIngress(context.peer)
    }

    func handle(
        _ request: Request,
        context: PageContext,
        next: @concurrent (Request, PageContext) async throws -> Response
    ) async throws -> Response {
        var context = context
        context.cookie = request.cookies[cookieName(of: request)]?.value
        context.session = context.cookie.flatMap { cookie in state.withLock { $0.sessions.session(cookie, at: now) } }
        var visit = Visit(request, context)
        context.network = rules.network(of: visit)
        if rules.asksForBasic(visit), let password = Self.basicPassword(of: request) {
            visit.basic = check(password, from: context.network)
        }
        if visit.isCamera { context.viewerToken = Self.viewerToken(of: request).flatMap(tokens.use) }
        visit.hasViewerToken = context.viewerToken != nil
        places.setKnown(rules.isKnown(visit), context.connection, from: context.network)
        guard let refusal = rules.refusal(of: visit) else { return try await next(request, context) }
        var response = Response.text(refusal.message + "\n", status: refusal.status)
        if refusal.status == .unauthorized, visit.isStatus {
            response.headers[.wwwAuthenticate] = #"Basic realm="printer2mqtt", charset="UTF-8""#
        }
        return response
    }

    func beginSession(
        isSignedIn: Bool = false,
        for request: Request
    ) throws -> (session: Sessions.Session?, cookie: Cookie) {
        let (session, value) = try state.withLock { state in
            let value = try state.sessions.begin(isSignedIn: isSignedIn, at: now)
            return (state.sessions.session(value, at: now), value)
        }
        let cookie = Cookie(
            name: cookieName(of: request),
            value: value,
            path: rules.ingressPath(of: request) ?? "/",
            httpOnly: true,
            sameSite: .strict
        )
        return (session, cookie)
    }

    /// Tries a password; the right one ends the session that the browser had before.
    func signIn(_ password: String, _ context: PageContext) -> SignIn {
        let answer = check(password, from: context.network)
        if answer == .right { signOut(context) }
        return answer
    }

    /// How many seconds a client has to wait before it may send a password; 0 if it may now.
    func delay(of context: PageContext) -> Int {
        state.withLock { $0.attempts.delay(of: context.network, at: now) }
    }

    private func check(_ password: String, from network: [UInt8]?) -> SignIn {
        let isRight = rules.options.password == Secret(password)
        return state.withLock { $0.attempts.answer(isRight, from: network, at: now) }
    }

    private static func basicPassword(of request: Request) -> String? {
        guard let data = credentials(of: request, "basic").flatMap({ Data(base64Encoded: $0) }) else { return nil }
        let text = String(decoding: data, as: UTF8.self)
        return text.firstIndex(of: ":").map { String(text[text.index(after: $0)...]) }
    }

    /// The token of a viewer: `?token=…`, or a bearer token (RFC 6750, section 2).
    private static func viewerToken(of request: Request) -> String? {
        credentials(of: request, "bearer") ?? request.uri.queryParameters["token"].map(String.init)
    }

    /// What follows a scheme in `Authorization` (RFC 9110, section 11.4).
    private static func credentials(of request: Request, _ scheme: String) -> String? {
        let words = request.headers[.authorization]?.split(separator: " ") ?? []
        return words.count == 2 && words[0].lowercased() == scheme ? String(words[1]) : nil
    }

    /// Whether a viewer's token is still there, or its session goes on.
    func mayView(_ context: PageContext) -> Bool {
        context.viewerToken.map(tokens.isValid) ?? isSignedIn(context)
    }

    /// Whether the session of a request goes on, if one is needed.
    func isSignedIn(_ context: PageContext) -> Bool {
        guard needsPassword(context) else { return true }
        let session = context.cookie.flatMap { cookie in state.withLock { $0.sessions.session(cookie, at: now) } }
        return session?.isSignedIn == true
    }

    func signOut(_ context: PageContext) {
        if let cookie = context.cookie { state.withLock { $0.sessions.end(cookie) } }
    }

    /// Cookies do not know ports, and a proxy may serve two bridges at one port: each bridge needs its own name.
    private func cookieName(of request: Request) -> String {
        let port = request.head.authority.flatMap { HostHeader($0) }?.port ?? "80"
        return "printer2mqtt_\(instance)_\(port)"
    }

    private var now: Double { start.duration(to: .now).seconds }
}

extension AccessRules {
    /// Below which path Home Assistant shows the page; nil for a request that does not come from there.
    fileprivate func ingressPath(of request: Request) -> String? {
        guard options.trustsIngress, let path = request.headers[.ingressPath], path.hasPrefix("/"),
            path.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7f && $0 != UInt8(ascii: ";") })
        else { return nil }
        return path
    }
}

extension Visit {
    init(_ request: Request, _ context: PageContext) {
        self.init(
            method: request.method,
            path: request.uri.path,
            peer: context.peer,
            host: request.head.authority,
            session: context.session
        )
        origin = request.headers[.origin]
        site = request.headers[.fetchSite]
        isForwarded = HTTPField.Name.ofProxies.contains { request.headers[$0] != nil }
        forwardedFor = request.headers[.forwardedFor]
        changeToken = request.headers[.changeToken]
    }
}
