package import Foundation

/// The names of the processes that have this working folder, by process identifier.
package func processes(in folder: URL) -> [Int32: String] {
    let all = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
    let inFolder = all.compactMap { Int32($0) }.compactMap { pid -> (Int32, String)? in
        let current = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(pid)/cwd")
        guard current == folder.path, let name = try? String(contentsOfFile: "/proc/\(pid)/comm", encoding: .utf8)
        else { return nil }
        return (pid, String(name.dropLast()))
    }
    return Dictionary(inFolder) { $1 }
}
