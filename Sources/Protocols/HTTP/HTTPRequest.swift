package import Foundation
package import NIOHTTP1

/// A request to a web server.
///
/// A user name and a password in its URL are sent by Basic authentication (RFC 7617).
package struct HTTPRequest: Sendable {
    private let method: HTTPMethod
    private let url: URL
    private let headers: HTTPHeaders
    let body: [UInt8]

    package init(_ method: HTTPMethod, _ url: URL, headers: HTTPHeaders = [:], body: [UInt8] = []) {
        self.method = method
        self.url = url
        self.headers = headers
        self.body = body
    }

    package init(_ url: URL) { self.init(.GET, url) }

    var origin: HTTPOrigin {
        get throws(HTTPFailure) {
            guard let scheme = url.scheme, ["http", "https"].contains(scheme),
                let host = url.host(percentEncoded: false), !host.isEmpty
            else {
                throw HTTPFailure(.badAddress, "the address must be http://host:port or https://host:port")
            }
            let isSecure = scheme == "https"
            let port = url.port ?? (isSecure ? 443 : 80)
            return HTTPOrigin(host: host.filter { !"[]".contains($0) }, port: port, isSecure: isSecure)
        }
    }

    func head(to origin: HTTPOrigin) -> HTTPRequestHead {
        let path = url.path(percentEncoded: true)
        let target = (path.isEmpty ? "/" : path) + (url.query(percentEncoded: true).map { "?" + $0 } ?? "")
        var headers = headers
        let name = origin.host.contains(":") ? "[\(origin.host)]" : origin.host
        headers.add(name: "Host", value: url.port.map { "\(name):\($0)" } ?? name)
        headers.add(name: "Content-Length", value: "\(body.count)")
        if let user = url.user(percentEncoded: false) {
            let account = "\(user):\(url.password(percentEncoded: false) ?? "")"
            headers.add(name: "Authorization", value: "Basic " + Data(account.utf8).base64EncodedString())
        }
        return HTTPRequestHead(version: .http1_1, method: method, uri: target, headers: headers)
    }
}

struct HTTPOrigin: Sendable, Hashable {
    /// A name or an address, the latter without brackets.
    let host: String
    let port: Int
    let isSecure: Bool
}

package struct HTTPResponse: Sendable, Hashable {
    package var status = 0
    package var body: [UInt8] = []

    package var isSuccess: Bool { (200..<300).contains(status) }
}
