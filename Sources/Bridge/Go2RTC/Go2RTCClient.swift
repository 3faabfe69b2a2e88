package import Foundation
import NIOCore
import NIOHTTP1
import StoredSettings

/// The streams of a go2rtc, by its HTTP API (`/api/streams`).
package struct Go2RTCClient: Sendable {
    /// It answered, and not as it should.
    package struct Refusal: Error, CustomStringConvertible {
        package let status: Int
        /// The answer itself may repeat the source, and with it the access code.
        package var description: String { "go2rtc answered with status \(status): check stream.go2rtc_url" }
    }

    private let base: URL

    /// - Parameter base: `http://host:port`, with user and password where it asks for them.
    package init(base: URL) { self.base = base }

    /// All its streams: the sources of each, by its name.
    package func streams() async throws -> [String: Set<String>] {
        let answer = try await call(.GET, "api/streams", [:])
        return (try SettingValue(json: answer).objectValue ?? [:]).mapValues { stream in
            let producers = stream.objectValue?["producers"]?.arrayValue ?? []
            // A producer that is connected shows its source under another name.
            return Set(producers.compactMap { ($0.objectValue?["url"] ?? $0.objectValue?["source"])?.stringValue })
        }
    }

    /// Does one step.
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

    private func call(
        _ method: HTTPMethod,
        _ path: String,
        _ parameters: KeyValuePairs<String, String>,
        within timeout: TimeAmount = .seconds(5)
    ) async throws -> [UInt8] {
        var url = base.appending(path: path)
        if !parameters.isEmpty {
            let query = parameters.map { "\($0.key)=\($0.value.queryEncoded)" }.joined(separator: "&")
            var components = URLComponents(url: url, resolvingAgainstBaseURL: false)
            components?.percentEncodedQuery = query
            url = components?.url ?? url
        }
        let answer = try await HTTPCall(method, url).run(within: timeout)
        guard (200..<300).contains(answer.status) else { throw Refusal(status: answer.status) }
        return answer.body
    }
}

extension String {
    /// Percent-encoded but for the unreserved characters (RFC 3986, section 2.3).
    fileprivate var queryEncoded: String {
        utf8.map { byte in
            let scalar = UnicodeScalar(byte)
            let isPlain =
                byte < 0x80 && (scalar.properties.isAlphabetic || "0123456789-._~".unicodeScalars.contains(scalar))
            return isPlain ? String(scalar) : "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
        }.joined()
    }
}
