import Foundation

/// A numeric address as the system takes it.
struct SocketAddress {
    private var storage = sockaddr_storage()
    private var length: socklen_t = 0

    /// The family, such as `AF_INET6`.
    var family: Int32 { Int32(storage.ss_family) }

    /// An IPv4 or IPv6 address with a port, or with port 0 the path of a Unix socket; nil if it is neither.
    init?(_ address: String, port: Int) {
        port == 0 ? setPath(address) : setNumeric(address, port)
        guard length > 0 else { return nil }
    }

    private mutating func setNumeric(_ address: String, _ port: Int) {
        var hints = addrinfo()
        hints.ai_flags = AI_NUMERICHOST | AI_NUMERICSERV
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        var list: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(address, String(port), &hints, &list) == 0, let first = list else { return }
        defer { freeaddrinfo(list) }
        memcpy(&storage, first.pointee.ai_addr, Int(first.pointee.ai_addrlen))
        length = first.pointee.ai_addrlen
    }

    private mutating func setPath(_ path: String) {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        guard path.utf8.count < MemoryLayout.size(ofValue: address.sun_path) else { return }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        memcpy(&storage, &address, MemoryLayout<sockaddr_un>.size)
        length = socklen_t(MemoryLayout<sockaddr_un>.size)
    }

    /// Passes the address to a call of the system.
    func withPointer<Result>(_ body: (UnsafePointer<sockaddr>, socklen_t) -> Result) -> Result {
        withUnsafePointer(to: storage) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, length) }
        }
    }
}
