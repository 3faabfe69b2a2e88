import Bridge
import Foundation
import Hummingbird
import NIOCore
import Settings

/// Every address of the page, and what is answered there.
struct Site: Sendable {
    /// The most bytes of a request's body.
    private static let bodyLimit = 16 << 10

    let access: BridgeAccess
    let door: Guard

    /// The addresses.
    var router: Router<PageContext> {
        let router = Router(context: PageContext.self, options: .autoGenerateHeadEndpoints)
        router.add(middleware: SecurityHeaders())
        router.add(middleware: door)
        router.get("/metrics") { _, _ in await status(StatusPage.metrics) }
        router.get("/health") { _, _ in await status(StatusPage.health) }
        for file in PageFile.all { router.get(RouterPath("/" + file.name)) { _, _ in file.response } }
        let api = router.group("/api")
        api.get("/session") { request, context in session(request, context) }
        api.post("/login") { request, context in try await signIn(request, context) }
        api.post("/logout") { _, context in signOut(context) }
        api.get("/schema") { _, _ in Response.json(configSchema()) }
        api.get("/bridge") { _, _ in Response.json(await access.overview.document) }
        api.get("/report") { _, _ in Response.text(await report.text) }
        api.get("/events") { _, _ in EventStream(access: access).response }
        api.get("/printers/:id") { _, context in try await printer(context) }
        api.get("/printers/:id/snapshot") { _, context in try snapshot(context) }
        api.post("/printers/:id") { request, context in try await change(request, context) }
        api.post("/test") { request, _ in try await test(request) }
        api.post("/request/**") { request, context in try await perform(request, context) }
        return router
    }

    private func status(_ page: (StatusPage.State) -> StatusPage) async -> Response {
        let page = page(
            await StatusPage.State(health: access.health, isConnected: access.isConnected, printers: access.printers)
        )
        var response = Response.text(page.body, status: .init(code: page.status), type: page.contentType)
        // Monitoring programs ask seldom: their connections are not kept.
        response.headers[.connection] = "close"
        return response
    }

    // MARK: Sessions

    private func session(_ request: Request, _ context: PageContext) -> Response {
        var session = context.session
        var cookie: Cookie?
        if session == nil {
            let new = door.beginSession(for: request)
            (session, cookie) = (new.session, new.cookie)
        }
        let needsPassword = door.needsPassword(context)
        var response = Response.json([
            "change_token": .string(session?.changeToken ?? ""),
            "needs_password": .bool(needsPassword && session?.isSignedIn != true),
            "has_password": .bool(needsPassword),
        ])
        if let cookie { response.setCookie(cookie) }
        return response
    }

    private func signIn(_ request: Request, _ context: PageContext) async throws -> Response {
        let password = try await fields(of: request)["password"]?.stringValue ?? ""
        switch door.signIn(password, context) {
        case .right:
            var response = Response.json([:])
            response.setCookie(door.beginSession(isSignedIn: true, for: request).cookie)
            return response
        case .wrong: return .fault("password", "is wrong", status: .unauthorized)
        case .tooOften: return .fault("password", "was wrong too often: wait a minute", status: .tooManyRequests)
        }
    }

    private func signOut(_ context: PageContext) -> Response {
        door.signOut(context)
        return .json([:])
    }

    // MARK: Printers

    private func printer(_ context: PageContext) async throws -> Response {
        guard let printer = await access.printer(try id(context)) else { throw HTTPError(.notFound) }
        return .json(access.configuration(of: printer))
    }

    private func snapshot(_ context: PageContext) throws -> Response {
        guard let picture = access.snapshots[try id(context)] else { throw HTTPError(.notFound) }
        return Response(
            status: .ok,
            headers: [.contentType: "image/jpeg"],
            body: .init(byteBuffer: ByteBuffer(bytes: picture.jpeg))
        )
    }

    private func change(_ request: Request, _ context: PageContext) async throws -> Response {
        let id = try id(context)
        guard await access.printer(id) != nil else { throw HTTPError(.notFound) }
        let result = await access.change(id, try await fields(of: request))
        guard let result, [.applied, .unchanged].contains(result.status) else {
            let busy = SettingFault(path: "", code: .invalidValue, message: "was changed too often: wait some seconds")
            let faults = result?.errors ?? []
            return .faults(faults.isEmpty ? [busy] : faults)
        }
        return .json(["status": .string(result.status.rawValue)])
    }

    private func test(_ request: Request) async throws -> Response {
        let fields = try await fields(of: request)
        let printer = fields["printer"]?.stringValue.flatMap { PrinterID($0) }
        return ConnectionTest(access: access, printer: printer, patch: fields["settings"]?.objectValue ?? [:]).response
    }

    private func perform(_ request: Request, _ context: PageContext) async throws -> Response {
        let verb = context.parameters.getCatchAll().joined(separator: "/")
        let body = try await body(of: request)
        switch await access.perform(verb, payload: Array(buffer: body)) {
        case .success(let data): return .json(["data": data])
        case .failure(let fault): return .faults([fault])
        }
    }

    private var report: BugReport {
        get async {
            let overview = await access.overview
            let configurations = overview.printers.map { ($0.id, access.configuration(of: $0)) }
            return BugReport(overview: overview, configurations: Dictionary(uniqueKeysWithValues: configurations))
        }
    }

    // MARK: Reading requests

    private func id(_ context: PageContext) throws -> PrinterID {
        guard let id = context.parameters.get("id").flatMap({ PrinterID($0) }) else { throw HTTPError(.notFound) }
        return id
    }

    private func body(of request: Request) async throws -> ByteBuffer {
        try await request.body.collect(upTo: Self.bodyLimit)
    }

    private func fields(of request: Request) async throws -> [String: StoredValue] {
        let body = try await body(of: request)
        guard let fields = try? StoredValue(json: body.readableBytesView).objectValue else { throw HTTPError(.badRequest) }
        return fields
    }
}

extension Response {
    fileprivate static func fault(_ path: String, _ message: String, status: HTTPResponse.Status) -> Response {
        .faults([SettingFault(path: path, code: .invalidValue, message: message)], status: status)
    }
}
