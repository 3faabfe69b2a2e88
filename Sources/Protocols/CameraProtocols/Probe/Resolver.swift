import Foundation
import NIOCore
import NIOPosix
import Platform
import Synchronization

/// Looks host names up off the event loops, in the order that the system prefers (RFC 6724).
enum Resolver {
    /// Skips a cancelled look-up that is still in the queue.
    final class Ticket: Sendable {
        private let isWanted = Atomic(true)

        func cancel() { isWanted.store(false, ordering: .relaxed) }

        fileprivate var isCancelled: Bool { !isWanted.load(ordering: .relaxed) }
    }

    /// Addresses that are tried for one name.
    static let limit = 6

    // The system's resolver blocks while a name server is silent. It has threads of its own, so many that a few such names
    // delay no other.
    private static let pool: NIOThreadPool = {
        let pool = NIOThreadPool(numberOfThreads: 16)
        pool.start()
        return pool
    }()

    /// The addresses of `host`, an address or a name, in the order in which to try them.
    ///
    /// It fails with ``HostLookup/Failure``.
    static func resolve(
        _ host: String,
        port: Int,
        ticket: Ticket,
        on loop: any EventLoop
    ) -> EventLoopFuture<[SocketAddress]> {
        if !host.utf8.contains(UInt8(ascii: "%")), let address = try? SocketAddress(ipAddress: host, port: port) {
            return loop.makeSucceededFuture([address])
        }
        return pool.runIfActive(eventLoop: loop) {
            guard !ticket.isCancelled else { throw CancellationError() }
            return Array(try HostLookup.addresses(of: host, port: port, \.socketAddress).prefix(limit))
        }
    }
}

extension addrinfo {
    fileprivate var socketAddress: SocketAddress? {
        guard let raw = UnsafeRawPointer(ai_addr) else { return nil }
        switch (ai_family, Int(ai_addrlen)) {
        case (AF_INET, MemoryLayout<sockaddr_in>.size...): return SocketAddress(raw.loadUnaligned(as: sockaddr_in.self))
        case (AF_INET6, MemoryLayout<sockaddr_in6>.size...):
            return SocketAddress(raw.loadUnaligned(as: sockaddr_in6.self))
        default: return nil
        }
    }
}
