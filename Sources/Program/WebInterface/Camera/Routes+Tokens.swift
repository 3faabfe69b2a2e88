import Bridge
import Hummingbird
import StoredSettings

/// The tokens of programs that view the cameras.
extension Routes {
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
