import Foundation

/// A socket that listens on 127.0.0.1, and its port.
package func listenOnLoopback(port: Int = 0, backlog: Int32) throws -> (descriptor: Int32, port: Int) {
    let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    var on: Int32 = 1
    setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &on, socklen_t(MemoryLayout<Int32>.size))
    var address = loopback(port)
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isReady = withUnsafeMutablePointer(to: &address) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
            bind(listener, $0, length) == 0 && getsockname(listener, $0, &length) == 0 && listen(listener, backlog) == 0
        }
    }
    guard isReady else {
        let reason = errno
        close(listener)
        throw TestFailure("cannot listen: errno \(reason)")
    }
    return (listener, Int(UInt16(bigEndian: address.sin_port)))
}

/// A socket connected to a port of 127.0.0.1, or one that is not if nobody listens there.
package func connectToLoopback(_ port: Int, waits: Bool = true) -> Int32 {
    let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
    let descriptor = socket(AF_INET, waits ? kind : kind | Int32(SOCK_NONBLOCK.rawValue), 0)
    var address = loopback(port)
    withUnsafePointer(to: &address) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
            _ = connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
        }
    }
    return descriptor
}

package func isConnected(_ descriptor: Int32) -> Bool {
    var address = sockaddr()
    var length = socklen_t(MemoryLayout<sockaddr>.size)
    return getpeername(descriptor, &address, &length) == 0
}

/// How many descriptors of this process are sockets to `port`, connected or about to be.
package func socketCount(toPort port: Int) throws -> Int {
    let inodes = try ["/proc/net/tcp", "/proc/net/tcp6"].flatMap { table in
        // Not String(contentsOfFile:), which reads one page of a file that has no size.
        let text = try FileHandle(forReadingFrom: URL(fileURLWithPath: table)).readToEnd() ?? Data()
        return String(decoding: text, as: UTF8.self).split(separator: "\n").dropFirst().compactMap { line -> String? in
            let fields = line.split(separator: " ", omittingEmptySubsequences: true)
            let remote = fields[2].split(separator: ":").last.flatMap { Int($0, radix: 16) }
            return remote == port ? "socket:[\(fields[9])]" : nil
        }
    }
    let manager = FileManager.default
    return try manager.contentsOfDirectory(atPath: "/proc/self/fd")
        .compactMap { try? manager.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)") }
        .filter { inodes.contains($0) }
        .count
}

private func loopback(_ port: Int) -> sockaddr_in {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = inet_addr("127.0.0.1")
    address.sin_port = UInt16(port).bigEndian
    return address
}
