import Foundation

/// Our end of the socket that libmosquitto takes for its connection to the broker.
///
/// The library opens its sockets itself and cannot be handed one. So it is made to connect to a listener of ours, and
/// then its descriptor is replaced by one end of a pair: all that it reads was judged before (``PacketInspector``), and
/// what it writes is ours to encrypt. Used on the loop only.
final class InnerSocket {
    private let descriptor: Int32
    private let buffer: ReadBuffer
    /// What the library wrote before the pair was there.
    private var initial: [UInt8]

    private static let flags = Int32(MSG_DONTWAIT) | Int32(MSG_NOSIGNAL)

    /// How many bytes one call of ``receive(_:)`` brings at most.
    var mostAtOnce: Int { buffer.bytes.count }

    /// `connect` makes the library connect to a port of 127.0.0.1, `socket` is its descriptor afterwards, `waits` tells
    /// whether it still holds its first packet.
    init(
        connect: (_ port: Int) -> MosquittoStatus,
        socket: () -> Int32?,
        waits: () -> Bool,
        buffer: ReadBuffer
    ) throws(SystemError) {
        let (listener, port) = try Self.listen()
        defer { close(listener) }
        let status = connect(port)
        guard !status.isFailure, let outer = socket() else { throw SystemError(code: status.systemError) }
        let accepted = try Self.accept(from: outer, listener)
        defer { close(accepted) }
        let first = try Self.firstBytes(of: accepted, areDue: !waits())
        var pair: [Int32] = [-1, -1]
        let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue) | Int32(SOCK_NONBLOCK.rawValue)
        guard socketpair(AF_UNIX, kind, 0, &pair) == 0 else { throw SystemError(code: errno) }
        descriptor = pair[0]
        dup2(pair[1], outer)
        close(pair[1])
        _ = fcntl(outer, F_SETFD, FD_CLOEXEC)
        initial = first
        self.buffer = buffer
    }

    deinit { close(descriptor) }

    /// Gives the library bytes to read; `read` lets it do so when no more fit, and returns false if it gave up.
    func send(_ bytes: UnsafeRawBufferPointer, read: () -> Bool) -> Bool {
        var rest = bytes
        while !rest.isEmpty {
            let sent = Glibc.send(descriptor, rest.baseAddress, rest.count, Self.flags)
            if sent > 0 {
                rest = UnsafeRawBufferPointer(rebasing: rest[sent...])
            } else if errno != EAGAIN && errno != EINTR {
                return false
            } else if !read() {
                return false
            }
        }
        return true
    }

    /// Takes what the library has written, as much as one call brings; fewer bytes than ``mostAtOnce`` are all there were.
    func receive(_ body: (UnsafeRawBufferPointer) -> Void) -> Int {
        guard initial.isEmpty else {
            initial.withUnsafeBytes { body($0) }
            initial = []
            return mostAtOnce
        }
        let count = recv(descriptor, buffer.bytes.baseAddress, buffer.bytes.count, Self.flags)
        guard count > 0 else { return 0 }
        body(UnsafeRawBufferPointer(rebasing: buffer.bytes[..<count]))
        return count
    }

    private static func listen() throws(SystemError) -> (descriptor: Int32, port: Int) {
        let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard listener >= 0 else { throw SystemError(code: errno) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isReady = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(listener, $0, length) == 0 && getsockname(listener, $0, &length) == 0
                    && Glibc.listen(listener, 8) == 0
            }
        }
        guard isReady else {
            defer { close(listener) }
            throw SystemError(code: errno)
        }
        return (listener, Int(UInt16(bigEndian: address.sin_port)))
    }

    /// The connection of this socket, and not of a stranger who happens to knock.
    private static func accept(from socket: Int32, _ listener: Int32) throws(SystemError) -> Int32 {
        var own = sockaddr_in()
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        _ = withUnsafeMutablePointer(to: &own) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(socket, $0, &length) }
        }
        while try isReadable(listener) {
            var peer = sockaddr_in()
            let accepted = withUnsafeMutablePointer(to: &peer) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { Glibc.accept(listener, $0, &length) }
            }
            guard accepted >= 0 else { throw SystemError(code: errno) }
            // Closed with a reset, it leaves no trace in the system's tables.
            var linger = linger(l_onoff: 1, l_linger: 0)
            setsockopt(accepted, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout<Glibc.linger>.size))
            if peer.sin_port == own.sin_port { return accepted }
            close(accepted)
        }
        throw SystemError(code: ETIMEDOUT)
    }

    private static func firstBytes(of socket: Int32, areDue: Bool) throws(SystemError) -> [UInt8] {
        if areDue { _ = try isReadable(socket) }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = recv(socket, &buffer, buffer.count, flags)
            guard count > 0 else { return bytes }
            bytes += buffer[..<count]
        }
    }

    /// On this machine it takes no time; the limit is for the unforeseen.
    private static func isReadable(_ descriptor: Int32) throws(SystemError) -> Bool {
        var item = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        let result = poll(&item, 1, 1_000)
        guard result >= 0 else { throw SystemError(code: errno) }
        return result > 0
    }
}
