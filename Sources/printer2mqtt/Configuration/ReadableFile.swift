import Foundation

/// Files that the configuration names.
enum ReadableFile {
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
