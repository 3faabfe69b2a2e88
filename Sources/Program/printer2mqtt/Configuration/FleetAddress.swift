import Foundation
import MQTT

/// The name of a fleet, and the addresses of its etcd members.
enum FleetAddress {
    static func endpoints(in text: String) -> [String] {
        text.split(separator: ",").map { part in
            let address = part.trimmingCharacters(in: .whitespaces)
            return address.hasSuffix("/") ? String(address.dropLast()) : address
        }
    }

    /// Whether requests to the address cross a network without encryption.
    static func isOpen(_ address: String) -> Bool {
        guard let url = URL(string: address), url.scheme == "http", let host = url.host(percentEncoded: false) else {
            return false
        }
        return !MQTTEndpoint.tcp(host: host, port: 0).isPrivate
    }

    static func faultInList(_ text: String) -> String? {
        for address in endpoints(in: text) {
            guard let url = URL(string: address), ["http", "https"].contains(url.scheme), url.host() != nil,
                url.port != nil, url.path().isEmpty, url.user() == nil, url.query() == nil
            else { return "must be addresses such as https://etcd-1:2379, separated by commas" }
        }
        return nil
    }

    static func faultInName(_ name: String) -> String? {
        let isPlain = name.unicodeScalars.allSatisfy {
            $0.isASCII && (CharacterSet.alphanumerics.contains($0) || "-_".unicodeScalars.contains($0))
        }
        return isPlain ? nil : "must have letters, digits, - and _ only"
    }
}
