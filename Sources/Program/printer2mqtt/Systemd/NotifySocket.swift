import Foundation

/// The Unix socket to which a service sends its state, one datagram each.
struct NotifySocket: Sendable {
    private let address: [UInt8]

    /// A path, or after `@` a name in the abstract namespace; nil for anything else (`vsock:` is for virtual machines).
    init?(_ path: String) {
        guard path.hasPrefix("/") || path.hasPrefix("@"), path.utf8.count > 1 else { return nil }
        // unix(7): an abstract name begins with a zero byte, and has no other one at its end.
        let bytes = path.hasPrefix("@") ? [0] + path.utf8.dropFirst() : Array(path.utf8)
        guard bytes.count < MemoryLayout.size(ofValue: sockaddr_un().sun_path) else { return nil }
        address = bytes
    }

    /// Sends a state; a manager that does not listen is no reason to fail.
    func send(_ state: String) {
        let descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { return }
        defer { close(descriptor) }
        var target = sockaddr_un()
        target.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &target.sun_path) { $0.copyBytes(from: address) }
        let size = MemoryLayout<sockaddr_un>.offset(of: \.sun_path).map { $0 + address.count } ?? 0
        let message = Array(state.split(whereSeparator: \.isNewline).joined(separator: " ").utf8)
        _ = withUnsafePointer(to: &target) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                sendto(descriptor, message, message.count, Int32(MSG_NOSIGNAL), $0, socklen_t(size))
            }
        }
    }
}
