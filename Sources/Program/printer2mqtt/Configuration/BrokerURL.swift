import CameraProtocols
import MQTT
import Platform
import Printers

/// The address of a broker, as the configuration gives it.
enum BrokerURL: Sendable, Hashable, CustomStringConvertible {
    case tcp(host: String, port: Int)
    case tls(host: String, port: Int)
    case unix(path: String)

    /// The longest path of a Unix socket, in bytes (unix(7)).
    private static let longestPath = 107

    /// Reads `mqtt://host[:port]`, `mqtts://host[:port]` or `unix:/path`; nil when it is none of these.
    init?(_ text: String) {
        if text.hasPrefix("unix:/") {
            let path = text.dropFirst("unix:".count)
            guard (2...Self.longestPath).contains(path.utf8.count), !path.utf8.contains(where: { $0 < 0x20 }) else {
                return nil
            }
            self = .unix(path: String(path))
            return
        }
        let address =
            #/
            mqtt(?<tls>s?):// (?: \[ (?<literal>[^\x00-\x20/@?\#\[\]]+) \] | (?<name>[^\x00-\x20/@?\#\[\]:]+) )
            (?: : (?<port>[0-9]+) )? /?
            /#.matchingSemantics(.unicodeScalar)
        guard let match = text.wholeMatch(of: address), let host = match.literal ?? match.name else { return nil }
        let isSecure = !match.tls.isEmpty
        let port = match.port.map { UInt16($0) ?? 0 } ?? (isSecure ? 8_883 : 1_883)
        guard port > 0 else { return nil }
        self = isSecure ? .tls(host: String(host), port: Int(port)) : .tcp(host: String(host), port: Int(port))
    }

    /// Why `text` is no broker's address; nil when it is one, or empty.
    static func fault(in text: String) -> String? {
        if let fault = PrintableText.fault(in: text) { return fault }
        if text.isEmpty || BrokerURL(text) != nil { return nil }
        if text.contains("@") { return "must not hold a user: use mqtt.username and mqtt.password" }
        if IPLiteral(text.replacing(/^mqtts?:\/\//, with: ""))?.isIPv6 == true {
            return "must have the IPv6 address in brackets, as in mqtt://[2001:db8::1]"
        }
        if BrokerURL("mqtt://\(text)") != nil {
            return "must begin with mqtt:// or mqtts://, as in mqtt://192.0.2.10:1883"
        }
        if BrokerURL(text.replacing(/:[0-9]+\/?$/, with: "")) != nil { return "must have a port from 1 to 65535" }
        return "must be mqtt://host[:port], mqtts://host[:port] or unix:/path"
    }

    var description: String {
        switch self {
        case .tcp(let host, let port): "mqtt://\(IPLiteral.bracketed(host)):\(port)"
        case .tls(let host, let port): "mqtts://\(IPLiteral.bracketed(host)):\(port)"
        case .unix(let path): "unix:\(path)"
        }
    }
}
