import CameraProtocols
package import Foundation
import HTTP
import JSON
import NIOHTTP1
import OpenSSL

/// The streams of a go2rtc, by its HTTP API (`/api/streams`).
package struct Go2RTCClient: Sendable {
    package struct Refusal: Error, CustomStringConvertible {
        package let status: Int
        /// The answer itself is not shown: it may repeat the source, and with it the access code.
        package var description: String { "go2rtc answered with status \(status): check stream.go2rtc_url" }
    }

    /// The largest answer, in bytes: a picture, or the list of some ten thousand streams.
    private static let sizeLimit = 8 << 20
    private static let http = HTTPClient(bodyLimit: sizeLimit) { try TLSContext.shared(trust: .system) }

    private let base: URL

    /// A go2rtc at `http://host:port`, with user and password where it asks for them.
    package init(base: URL) { self.base = base }

    package func streams() async throws -> [String: Set<String>] {
        let answer = try await call(.GET, "api/streams", [:])
        let list = try JSONValue(json: answer, limits: JSONLimits(bytes: Self.sizeLimit))
        return (list.objectValue ?? [:]).mapValues { stream in
            let producers = stream.objectValue?["producers"]?.arrayValue ?? []
            // A producer that is connected shows its source under another name.
            return Set(producers.compactMap { ($0.objectValue?["url"] ?? $0.objectValue?["source"])?.stringValue })
        }
    }

    func perform(_ step: Go2RTCStreams.Step) async throws {
        switch step {
        case .put(let name, let source): _ = try await call(.PUT, "api/streams", ["name": name, "src": source])
        case .delete(let name): _ = try await call(.DELETE, "api/streams", ["src": name])
        }
    }

    /// A picture of one of its streams, as JPEG; it connects to the camera unless it is connected already.
    package func picture(of name: String) async throws -> [UInt8] {
        try await call(.GET, "api/frame.jpeg", ["src": name], within: .seconds(20))
    }

    /// The address at which viewers get a stream or its picture; without user and password.
    package func address(_ path: String, of name: String) -> URL {
        var parts = URLComponents(url: base.appending(path: path), resolvingAgainstBaseURL: false)
        parts?.user = nil
        parts?.password = nil
        parts?.percentEncodedQuery = "src=\(name.percentEncoded())"
        return parts?.url ?? base
    }

    private func call(
        _ method: HTTPMethod,
        _ path: String,
        _ parameters: KeyValuePairs<String, String>,
        within timeout: Duration = .seconds(5)
    ) async throws -> [UInt8] {
        var url = base.appending(path: path)
        if !parameters.isEmpty {
            // `URLQueryItem` leaves characters that Go's parser does not take literally, such as `+` and `;`.
            let query = parameters.map { "\($0.key)=\($0.value.percentEncoded())" }.joined(separator: "&")
            url = URL(string: "\(url.absoluteString)?\(query)") ?? url
        }
        let answer = try await Self.http.send(HTTPRequest(method, url), within: timeout)
        guard answer.isSuccess else { throw Refusal(status: answer.status) }
        return answer.body
    }
}
