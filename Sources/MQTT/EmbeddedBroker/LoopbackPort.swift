import Foundation

/// TCP ports of 127.0.0.1.
enum LoopbackPort {
    /// Whether a server could listen there now.
    static func isFree(_ port: Int) -> Bool { bound(to: port) != nil }

    /// A port that is free now, chosen by the system.
    static func anyFree() -> Int? { bound(to: 0) }

    /// Whether a server answers there.
    static func answers(_ port: Int) -> Bool {
        withSocket(port) { descriptor, address, length in connect(descriptor, address, length) == 0 } ?? false
    }

    private static func bound(to port: Int) -> Int? {
        withSocket(port) { descriptor, address, length -> Int? in
            var reuse: Int32 = 1
            // As mosquitto does: connections that linger don't count.
            setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &reuse, socklen_t(MemoryLayout<Int32>.size))
            var length = length
            guard bind(descriptor, address, length) == 0, getsockname(descriptor, address, &length) == 0,
                listen(descriptor, 1) == 0
            else { return nil }
            return address.withMemoryRebound(to: sockaddr_in.self, capacity: 1) {
                Int(UInt16(bigEndian: $0.pointee.sin_port))
            }
        } ?? nil
    }

    private static func withSocket<Result>(
        _ port: Int,
        _ body: (Int32, UnsafeMutablePointer<sockaddr>, socklen_t) -> Result
    ) -> Result? {
        guard let port = UInt16(exactly: port) else { return nil }
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        return withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                body(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
    }
}
