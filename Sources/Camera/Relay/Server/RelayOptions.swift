import Platform

/// Where the relay is served.
package struct RelayOptions: Sendable {
    package var host: String
    package var port: Int

    package init(host: String, port: Int) { (self.host, self.port) = (host, port) }

    /// The address of a camera's stream, of which the id is the last part; nil if it listens on every address.
    package var url: String? { IPLiteral(host)?.isUnspecified == true ? nil : url(host: host) }

    package func url(host: String) -> String { "rtsp://\(IPLiteral.bracketed(host)):\(port)/" }
}
