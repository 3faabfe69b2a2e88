import Bridge
import Hummingbird
import StoredSettings

/// The sessions of browsers, and the tokens of programs that view the cameras.
extension Routes {
    /// In bytes: 256 characters, the longest password, take 1,024 bytes, and more where JSON escapes them.
    private static let signInLimit = 2_048

    func session(_ request: Request, _ context: PageContext) throws -> Response {
        var session = context.session
        var cookie: Cookie?
        if session == nil {
            let new = try door.beginSession(for: request)
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

    func signIn(_ request: Request, _ context: PageContext) async throws -> Response {
        // The password of a client that has to wait is not checked.
        let delay = door.delay(of: context)
        if delay > 0 { return .tooOften(delay) }
        let password = try await fields(of: request, upTo: Self.signInLimit)["password"]?.stringValue ?? ""
        switch door.signIn(password, context) {
        case .right:
            var response = Response.json([:])
            response.setCookie(try door.beginSession(isSignedIn: true, for: request).cookie)
            return response
        case .wrong: return .fault("password", "is wrong", status: .unauthorized)
        case .tooOften(let seconds): return .tooOften(seconds)
        }
    }

    func signOut(_ context: PageContext) -> Response {
        door.signOut(context)
        return .json([:])
    }

    var tokens: JSONValue {
        .array(
            access.tokens.all.map { token in
                [
                    "id": .string(token.id), "name": .string(token.name), "created_at": .time(token.createdAt),
                    "used_at": token.usedAt.map(JSONValue.time) ?? .null,
                ]
            }
        )
    }

    func makeToken(_ request: Request) async throws -> Response {
        do {
            let name = try await fields(of: request)["name"]?.stringValue ?? ""
            return .json(["token": .string(try await access.tokens.make(name: name))])
        } catch let faults as ValidationErrors {
            return .faults(faults.faults)
        }
    }

    func revokeToken(_ request: Request) async throws -> Response {
        let id = try await fields(of: request)["id"]?.stringValue ?? ""
        guard try await access.tokens.revoke(id) else { throw HTTPError(.notFound) }
        return .json([:])
    }
}

extension Response {
    fileprivate static func tooOften(_ seconds: Int) -> Response {
        .fault("password", "was wrong too often: wait \(seconds) seconds", status: .tooManyRequests)
    }
}
