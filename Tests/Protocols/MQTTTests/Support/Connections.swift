import Foundation
import TestSupport

/// How many sockets of this machine are connected to a port of 127.0.0.1 and not yet closed by their owner.
func openConnections(to port: Int) throws -> Int {
    let remote = String(format: ":%04X", port)
    // String(contentsOfFile:) stops after the first piece that the kernel hands out.
    guard let file = FileHandle(forReadingAtPath: "/proc/self/net/tcp"), let data = try file.readToEnd() else {
        throw TestFailure("/proc/self/net/tcp cannot be read")
    }
    let sockets = String(decoding: data, as: UTF8.self).split(separator: "\n").dropFirst().compactMap { line in
        let fields = line.split(separator: " ")
        // A socket without an owner has inode 0.
        return fields.count > 9 && fields[2].hasSuffix(remote) && fields[9] != "0" ? fields[1] + " " + fields[9] : nil
    }
    // A line may come twice while the table changes under the reader.
    return Set(sockets).count
}
