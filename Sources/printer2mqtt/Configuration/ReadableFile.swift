import Foundation
import OpenSSL

/// Files that the configuration names.
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
