import NIOCore
import NIOPosix

/// The addresses of a host, each in one spelling, so that two names of one place can be recognised.
package enum HostAddresses {
    /// The addresses that a probe of `host` would try.
    ///
    /// An IPv4 address that is written as an IPv6 one (`::ffff:192.0.2.7`) becomes an IPv4 address.
    /// It is empty if the name has no address, or if the system's resolver does not answer in time.
    package static func resolve(_ host: String, within timeout: Duration = ProbeDeadlines().dns) async -> [String] {
        let loop = MultiThreadedEventLoopGroup.singleton.next()
        let ticket = Resolver.Ticket()
        let promise = loop.makePromise(of: [SocketAddress].self)
        let found = Resolver.resolve(host, port: 0, ticket: ticket, on: loop)
        let timer = loop.scheduleTask(in: TimeAmount(timeout)) {
            ticket.cancel()
            promise.succeed([])
        }
        // Whichever comes later is ignored.
        found.whenComplete { result in
            timer.cancel()
            promise.succeed((try? result.get()) ?? [])
        }
        let addresses = (try? await promise.futureResult.get()) ?? []
        return addresses.compactMap(normalized)
    }

    private static func normalized(_ address: SocketAddress) -> String? {
        guard let text = address.ipAddress else { return nil }
        // The system writes the last four bytes of such an address as those of IPv4 (RFC 5952, section 5).
        let mapped = "::ffff:"
        return text.hasPrefix(mapped) && text.contains(".") ? String(text.dropFirst(mapped.count)) : text
    }
}
