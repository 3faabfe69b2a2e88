import NIOCore
import NIOPosix
package import Platform
import ServiceLifecycle

/// Why a server of the bridge cannot listen on its port: the relay, or the page.
package struct PortFailure: Error, CustomStringConvertible {
    /// The address, the options that set it, and the system's reason.
    package let description: String
    /// Whether the host is no address of this machine, or an unknown name; otherwise the port cannot be used.
    package let isOfHost: Bool
    /// What to do, in a sentence.
    package let repair: String

    /// `section` has the options `host` and `port`.
    package init(host: String, port: Int, section: String, _ error: any Error) {
        let code = (error as? IOError)?.errnoCode
        let isUnknown = error is SocketAddressError.UnknownHost
        let reason = isUnknown ? "the name is not known" : code.map { "\(SystemFailure($0))" } ?? "\(error)"
        isOfHost = isUnknown || code == EADDRNOTAVAIL
        let address = "\(IPLiteral.bracketed(host)):\(port)"
        description = "Cannot listen on \(address) (\(section).host, \(section).port): \(reason)"
        repair =
            isOfHost
            ? "Set \(section).host to an address of this machine."
            : "Stop the program that has the port, or set \(section).port to a free port."
    }

    /// Waits before a server tries again to listen; false if it is shut down meanwhile.
    package static func waitForPort() async -> Bool {
        (try? await cancelWhenGracefulShutdown { try await Task.sleep(for: .seconds(10)) }) != nil
    }

    /// Checks that a server could listen now, and returns the address of `host`.
    @discardableResult
    package static func check(host: String, port: Int, section: String) async throws(PortFailure) -> IPLiteral? {
        do {
            let channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
                .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
                .bind(host: host, port: port)
                .get()
            let address = channel.localAddress?.ipAddress.flatMap { IPLiteral($0) }
            try await channel.close()
            return address
        } catch {
            throw PortFailure(host: host, port: port, section: section, error)
        }
    }
}
