import Foundation
import Synchronization
import TestSupport

/// A way to a broker that breaks: each connection is cut after a random number of bytes, until it is told to stop that.
final class CuttingProxy: Sendable {
    let port: Int
    /// How many connections were cut so far.
    var cuts: Int { state.withLock { $0.cuts } }

    private let listener: Int32
    private let target: Int
    private let state = Mutex((cuts: 0, isKind: false))

    init(to target: Int, after bytes: Range<Int>) throws {
        self.target = target
        listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        port = try freePort()
        guard Self.with(port, { bind(listener, $0, $1) }) == 0, listen(listener, 16) == 0 else {
            throw TestFailure("the proxy cannot listen")
        }
        Thread.detachNewThread { [self] in serve(bytes) }
    }

    /// Cuts no more.
    func calm() { state.withLock { $0.isKind = true } }

    func stop() { shutdown(listener, Int32(SHUT_RDWR)) }

    private func serve(_ bytes: Range<Int>) {
        while true {
            let client = accept(listener, nil, nil)
            guard client >= 0 else { break }
            let broker = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
            guard Self.with(target, { connect(broker, $0, $1) }) == 0 else {
                close(broker)
                close(client)
                continue
            }
            let allowance = Int.random(in: bytes)
            Thread.detachNewThread { [self] in
                forward(client, broker, allowance)
                close(client)
                close(broker)
            }
        }
        close(listener)
    }

    private func forward(_ client: Int32, _ broker: Int32, _ allowance: Int) {
        var left = allowance
        var buffer = [UInt8](repeating: 0, count: 4_096)
        while true {
            var sockets = [client, broker].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
            guard poll(&sockets, 2, -1) > 0 else { return }
            for (from, to) in [(0, broker), (1, client)] where sockets[from].revents != 0 {
                let limit = state.withLock { $0.isKind } ? buffer.count : min(buffer.count, left)
                let count = limit > 0 ? recv(sockets[from].fd, &buffer, limit, 0) : 0
                guard count > 0, send(to, buffer, count, Int32(MSG_NOSIGNAL)) == count else {
                    if limit == 0 { state.withLock { $0.cuts += 1 } }
                    return
                }
                left -= count
            }
        }
    }

    private static func with(_ port: Int, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32) -> Int32 {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        address.sin_port = in_port_t(port).bigEndian
        return withUnsafePointer(to: address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                body($0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
    }
}
