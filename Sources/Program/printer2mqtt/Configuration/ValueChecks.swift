import Foundation
import MQTT
import OpenSSL
import Printers
import RTSP
import StoredSettings

enum ReadableFile {
    /// Why the certificates at `path` cannot be read, each of them; nil when they can, and when there is no path.
    static func faultInCertificates(_ path: String) -> String? {
        fault(in: path) ?? (path.isEmpty ? nil : PEMFile.faultInCertificates(path))
    }

    /// Why the private key at `path` cannot be read; nil when it can, and when there is no path.
    static func faultInKey(_ path: String) -> String? {
        fault(in: path) ?? (path.isEmpty ? nil : PEMFile.faultInKey(path))
    }

    /// Why nothing can be read at `path`; nil when something can, and when there is no path.
    static func fault(in path: String) -> String? {
        var isFolder: ObjCBool = false
        if path.isEmpty { return nil }
        guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), !isFolder.boolValue else {
            return "must be a file: there is none at that path"
        }
        return FileManager.default.isReadableFile(atPath: path) ? nil : "must be a file that the bridge may read"
    }
}

enum TopicLevel {
    /// Why `text` can't; nil when it can.
    static func fault(in text: String) -> String? {
        if text.contains(" ") || (try? MQTTTopic(text)) == nil {
            return "must not contain +, #, spaces or control characters"
        }
        if text.hasPrefix("/") || text.hasSuffix("/") { return "must not begin or end with /" }
        return text.hasPrefix("$") ? "must not begin with $" : nil
    }
}

enum WebAddress {
    /// What is wrong with one; nil when nothing is, and for an empty one.
    static func fault(in text: String) -> String? {
        if text.isEmpty { return nil }
        guard let url = URL(string: text), url.scheme == "http" || url.scheme == "https", url.host()?.isEmpty == false
        else { return "must be http://host:port or https://host:port" }
        return nil
    }
}

enum CommaList {
    static func entries(of list: String) -> [String] {
        list.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }
    }

    /// What is wrong with a list of host names, which are compared with the `Host` header without its port.
    static func faultInHostNames(_ text: String) -> String? {
        let isWrong = entries(of: text).contains { $0.isEmpty || $0.contains(":") || HostAddress.fault(in: $0) != nil }
        return isWrong ? "must be host names alone, separated by commas, without scheme, port or path" : nil
    }

    static func faultInProxies(_ text: String) -> String? {
        let isWrong = entries(of: text).contains { IPLiteral($0)?.isOfOneMachine != true }
        return isWrong ? "must be IP addresses, separated by commas, such as 127.0.0.1, ::1" : nil
    }
}

enum ListeningAddress {
    static func fault(in text: String) -> String? {
        IPLiteral(text)?.isUnspecified == true ? nil : HostAddress.fault(in: text)
    }
}

extension SettingConstraints {
    static let certificates = SettingConstraints(check: ReadableFile.faultInCertificates(_:))
    static let privateKey = SettingConstraints(check: ReadableFile.faultInKey(_:))
}
