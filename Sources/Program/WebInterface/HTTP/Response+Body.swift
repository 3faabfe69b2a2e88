import Hummingbird
import Printers
import StoredSettings

extension Response {
    static func text(
        _ text: String,
        status: HTTPResponse.Status = .ok,
        type: String = "text/plain; charset=utf-8"
    ) -> Response {
        Response(status: status, headers: [.contentType: type], body: .init(byteBuffer: ByteBuffer(string: text)))
    }

    static func unavailable(_ message: String, retryAfter seconds: Int) -> Response {
        var response = text(message + "\n", status: .serviceUnavailable)
        response.headers[.retryAfter] = "\(seconds)"
        return response
    }

    static func json(_ value: SettingValue, status: HTTPResponse.Status = .ok) -> Response {
        Response(
            status: status,
            headers: [.contentType: "application/json"],
            body: .init(byteBuffer: ByteBuffer(bytes: value.jsonBytes()))
        )
    }

    /// What is wrong with the values that were sent, each at its path.
    static func faults(_ faults: [ValidationError], status: HTTPResponse.Status = .unprocessableContent) -> Response {
        .json(["errors": .array(faults.map(\.document))], status: status)
    }
}
