import CameraProtocols
import Foundation
import MQTT
import OpenSSL
import Platform
import Printers
import StoredSettings

/// Constraints of configuration keys. A check returns the fault, or nil.
extension SettingConstraints {
    static let brokerURL = SettingConstraints(length: 0...1_024, check: BrokerURL.fault(in:))
    static let storeKey = SettingConstraints(check: StoreKey.fault(in:))
    static let printable = SettingConstraints(check: PrintableText.fault(in:))

    /// A PEM file, in which each certificate can be read.
    static let certificates = file(PEMFile.faultInCertificates)
    static let privateKey = file(PEMFile.faultInKey)

    /// A folder, which need not exist.
    static let folder = SettingConstraints { path in
        let place = FileStatus.visible(path)
        return FileStatus(place)?.isFolder == false ? "must be a folder: \(place) is a file" : nil
    }

    static let topic = SettingConstraints(length: 1...128) { text in
        if text.contains(" ") || (try? MQTTTopic(text)) == nil {
            return "must not contain +, #, spaces or control characters"
        }
        if text.hasPrefix("/") || text.hasSuffix("/") { return "must not begin or end with /" }
        return text.hasPrefix("$") ? "must not begin with $" : nil
    }

    static func listeningAddress(port: String) -> Self {
        SettingConstraints(length: 1...253) { text in
            IPLiteral(text)?.isUnspecified == true ? nil : HostAddress.fault(in: text, port: "is \(port)")
        }
    }

    /// Compared with the `Host` header without its port.
    static let hostNames = SettingConstraints { text in
        let isWrong = text.commaList.contains { $0.isEmpty || $0.contains(":") || HostAddress.fault(in: $0) != nil }
        return isWrong ? "must be host names alone, separated by commas, without scheme, port or path" : nil
    }

    static let proxies = SettingConstraints { text in
        let isWrong = text.commaList.contains { IPLiteral($0)?.isOfOneMachine != true }
        return isWrong ? "must be IP addresses, separated by commas, such as 127.0.0.1, ::1" : nil
    }

    static let fleetName = SettingConstraints(length: 1...64) { text in
        let isPlain = text.wholeMatch(of: /[A-Za-z0-9_-]*/) != nil
        return isPlain ? nil : "must have letters, digits, - and _ only"
    }

    static let etcdEndpoints = SettingConstraints(length: 0...4_096) { text in
        let areAddresses = text.etcdEndpoints.allSatisfy { address in
            guard let url = URL(string: address), ["http", "https"].contains(url.scheme),
                let port = url.port, (1...65_535).contains(port)
            else { return false }
            return url.host() != nil && url.path().isEmpty && url.user() == nil && url.query() == nil
        }
        return areAddresses ? nil : "must be addresses such as https://etcd-1:2379, separated by commas"
    }

    private static func file(_ fault: @escaping @Sendable (_ path: String) -> String?) -> SettingConstraints {
        SettingConstraints { path in
            if path.isEmpty { return nil }
            guard let status = FileStatus(path) else { return "must be a file: there is none at that path" }
            if status.isFolder { return "must be a file: there is a folder at that path" }
            guard FileManager.default.isReadableFile(atPath: path) else {
                return "must be a file that the bridge may read"
            }
            return fault(path)
        }
    }
}

extension String {
    var commaList: [String] { split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) } }

    /// The addresses of etcd's members in a list with commas.
    var etcdEndpoints: [String] { commaList.map { $0.hasSuffix("/") ? String($0.dropLast()) : $0 } }
}
