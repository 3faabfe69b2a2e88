import Bridge
import Foundation
import Hummingbird
import JSON
import NIOCore

/// Every address of the page, and what is answered there.
struct Routes: Sendable {
    static let bodyLimit = 16 << 10

    let access: BridgeAccess
    let door: Guard
    let diagnosis: Diagnosis
    let streams: StreamLimit
    let tests: StreamLimit
    let viewers: StreamLimit

    var router: Router<PageContext> {
        let router = Router(context: PageContext.self, options: .autoGenerateHeadEndpoints)
        router.add(middleware: SecurityHeaders())
        router.add(middleware: door)
        router.get("/metrics") { _, _ in
            Self.monitored(Metrics(await access.overview).text, type: Metrics.contentType)
        }
        router.get("/health") { _, _ in
            let bridge = await access.overview
            return Self.monitored(bridge.status.json() + "\n", code: bridge.statusCode, type: "application/json")
        }
        for file in PageFile.all { router.get(RouterPath("/" + file.name)) { _, _ in file.response } }
        for method in [HTTPRequest.Method.get, .head] {
            router.on("/camera/:id/stream", method: method) { try await camera(isStream: true, $0, $1) }
            router.on("/camera/:id/stream.mp4", method: method) { try await movie($0, $1) }
            router.on("/camera/:id/picture.jpg", method: method) { try await camera(isStream: false, $0, $1) }
            router.on("/camera/:id/clips/:file", method: method) { try await clip($0, $1) }
        }
        router.get("/camera/:id/clips") { _, context in try clips(context) }
        router.get("/camera/:id/moments/:file") { _, context in try moment(context) }
        let api = router.group("/api")
        api.get("/session") { request, context in try session(request, context) }
        api.post("/login") { request, context in try await signIn(request, context) }
        api.post("/logout") { _, context in signOut(context) }
        api.get("/schema") { _, _ in Response.json(configSchema()) }
        api.get("/choices") { _, _ in Response.json(FormChoices.document) }
        api.get("/bridge") { _, _ in Response.json(await access.overview.document) }
        api.get("/report") { _, _ in Response.text(await report.text) }
        api.get("/events") { request, context in events(request, context) }
        api.get("/printers/:id") { _, context in try configuration(context) }
        api.get("/printers/:id/snapshot") { _, context in try snapshot(context) }
        api.post("/printers/:id") { request, context in try await change(request, context) }
        api.post("/doctor") { _, _ in try await atPlace { .json(.array(try await diagnosis.run())) } }
        api.post("/authorities") { _, _ in try await atPlace { try await getAuthorities() } }
        api.get("/tokens") { _, _ in Response.json(tokens) }
        api.post("/tokens") { request, _ in try await makeToken(request) }
        api.post("/tokens/revoke") { request, _ in try await revokeToken(request) }
        api.post("/test") { request, _ in try await test(request) }
        api.post("/request/**") { request, context in try await perform(request, context) }
        return router
    }

    /// Monitoring programs ask seldom: their connections are not kept.
    private static func monitored(_ text: String, code: Int = 200, type: String) -> Response {
        var response = Response.text(text, status: .init(code: code), type: type)
        response.headers[.connection] = "close"
        return response
    }

    private var report: BugReport {
        get async {
            let overview = await access.overview
            let configurations = overview.printers.map { ($0.id, access.configuration(of: $0)) }
            return BugReport(
                overview: overview,
                configurations: Dictionary(uniqueKeysWithValues: configurations),
                findings: await diagnosis.findings
            )
        }
    }

    func id(_ context: PageContext) throws -> PrinterID {
        guard let id = context.parameters.get("id").flatMap({ PrinterID($0) }) else { throw HTTPError(.notFound) }
        return id
    }

    func printer(_ context: PageContext) throws -> Printer {
        guard let printer = access.printer(try id(context)) else { throw HTTPError(.notFound) }
        return printer
    }

    func fields(of request: Request, upTo limit: Int = bodyLimit) async throws -> [String: JSONValue] {
        let body = try await request.body.collect(upTo: limit)
        if let fields = try? JSONValue(json: body.readableBytesView, limits: .message).objectValue { return fields }
        throw HTTPError(.badRequest)
    }
}
