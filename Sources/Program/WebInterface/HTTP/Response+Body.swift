import Cameras
import Hummingbird
import Printers
import StoredSettings

extension Response {
    static func file(_ bytes: [UInt8], status: HTTPResponse.Status = .ok, type: String) -> Response {
        Response(status: status, headers: [.contentType: type], body: .init(byteBuffer: ByteBuffer(bytes: bytes)))
    }

    static func text(
        _ text: String,
        status: HTTPResponse.Status = .ok,
        type: String = "text/plain; charset=utf-8"
    ) -> Response {
        .file(Array(text.utf8), status: status, type: type)
    }

    static func json(_ value: JSONValue, status: HTTPResponse.Status = .ok) -> Response {
        .file(value.jsonBytes(), status: status, type: "application/json")
    }

    /// Server-sent events, which `send` writes; the place is held until they end.
    static func events(
        _ place: StreamLimit.Place,
        _ send: @escaping @Sendable @concurrent (inout any ResponseBodyWriter) async throws -> Void
    ) -> Response {
        let body = ResponseBody { writer in
            defer { withExtendedLifetime(place) {} }
            try await send(&writer)
            try await writer.finish(nil)
        }
        return Response(status: .ok, headers: [.contentType: "text/event-stream"], body: body)
    }

    static func unavailable(_ message: String, retryAfter seconds: Int) -> Response {
        var response = text(message + "\n", status: .serviceUnavailable)
        response.headers[.retryAfter] = "\(seconds)"
        return response
    }

    /// 409 if a person has to change something first, else 503 with the time to wait.
    static func refused(by obstacle: ViewingObstacle) -> Response {
        obstacle.retryAfter.map { unavailable(obstacle.message, retryAfter: $0) }
            ?? text(obstacle.message + "\n", status: .conflict)
    }

    /// What is wrong with the values that were sent, each at its path.
    static func faults(_ faults: [ValidationError], status: HTTPResponse.Status = .unprocessableContent) -> Response {
        .json(["errors": PageHint.messages(faults.map(\.document))], status: status)
    }

    static func fault(
        _ path: String,
        _ message: String,
        status: HTTPResponse.Status = .unprocessableContent
    ) -> Response {
        .faults([ValidationError(path, .invalidValue, message)], status: status)
    }
}
