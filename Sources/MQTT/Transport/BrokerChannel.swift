import Foundation
import OpenSSL

/// The connection to the broker: a socket that never blocks, with TLS on it if asked for; used on the loop only.
final class BrokerChannel {
    enum Reading {
        /// Nothing is left for now, or enough was read for one turn.
        case done
        /// The broker has closed.
        case ended
        /// The socket failed, with this `errno`.
        case failed(Int32)
        /// TLS failed.
        case insecure(TLSFailure)
    }

    let descriptor: Int32
    /// Whether bytes can be sent: TCP stands, and TLS if there is any.
    private(set) var isReady = false
    /// Whether bytes wait that the socket did not take yet.
    var hasPending: Bool { head < pending.count }
    var usesTLS: Bool { tls != nil }
    /// How many bytes are worth being sent together.
    var mostAtOnce: Int { buffer.bytes.count }

    private let tls: TLSSession?
    private let buffer: ReadBuffer
    private var held: [UInt8] = []
    private var pending: [UInt8] = []
    private var head = 0
    /// Whether some of what waited was taken.
    private var hasProgressed = false

    private static let flags = Int32(MSG_DONTWAIT) | Int32(MSG_NOSIGNAL)

    /// Begins to connect; throws the `errno` when that is refused at once.
    init(to address: SocketAddress, tls: TLSSession?, buffer: ReadBuffer) throws(SystemError) {
        let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue) | Int32(SOCK_NONBLOCK.rawValue)
        let descriptor = socket(address.family, kind, 0)
        guard descriptor >= 0 else { throw SystemError(code: errno) }
        self.descriptor = descriptor
        self.tls = tls
        self.buffer = buffer
        if address.family != AF_UNIX {
            var on: Int32 = 1
            setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &on, socklen_t(MemoryLayout<Int32>.size))
        }
        let result = address.withPointer { connect(descriptor, $0, $1) }
        if result < 0, errno != EINPROGRESS { throw SystemError(code: errno) }
    }

    deinit { close(descriptor) }

    /// The error that waits in the socket, zero if none; reading it clears it.
    func takeError() -> Int32 {
        var error: Int32 = 0
        var size = socklen_t(MemoryLayout<Int32>.size)
        return getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &error, &size) == 0 ? error : errno
    }

    /// TCP stands: goes on with TLS.
    func start() {
        guard let tls else {
            isReady = true
            return
        }
        _ = tls.start()
        _ = write(tls.takeCiphertext())
    }

    /// Lets the system end the connection when what was sent stays without an answer for so long.
    func setPatience(_ patience: Duration) {
        var milliseconds = UInt32(clamping: Int64(patience.inSeconds * 1_000))
        let size = socklen_t(MemoryLayout<UInt32>.size)
        setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_USER_TIMEOUT, &milliseconds, size)
    }

    /// Reads what has come, as far as one turn should; `body` gets it piece by piece.
    func receive(_ body: (UnsafeRawBufferPointer) -> Void) -> Reading {
        let count = recv(descriptor, buffer.bytes.baseAddress, buffer.bytes.count, Self.flags)
        guard count > 0 else {
            if count == 0 { return .ended }
            return errno == EAGAIN || errno == EINTR ? .done : .failed(errno)
        }
        let bytes = UnsafeRawBufferPointer(rebasing: buffer.bytes[..<count])
        guard let tls else {
            body(bytes)
            return .done
        }
        let events = tls.receive(bytes)
        _ = write(tls.takeCiphertext())
        for event in events {
            switch event {
            case .handshakeCompleted: isReady = true
            case .received(let plaintext): plaintext.withUnsafeBytes { body($0) }
            case .inputClosed: return .ended
            case .failed(let failure): return .insecure(failure)
            }
        }
        return .done
    }

    /// How many bytes wait for ``sendHeld()``.
    var heldCount: Int { held.count }

    /// Adds bytes to those that ``sendHeld()`` sends.
    func hold(_ add: (inout [UInt8]) -> Void) { add(&held) }

    /// Sends what was held, or keeps what the socket does not take until ``flush()``; false if the connection is broken.
    func sendHeld() -> Bool {
        guard !held.isEmpty else { return true }
        guard tls != nil || hasPending else {
            // What is long is not copied once more.
            swap(&held, &pending)
            return flush()
        }
        defer { held.removeAll(keepingCapacity: held.capacity <= buffer.bytes.count) }
        return held.withUnsafeBytes { encrypt($0) }
    }

    /// Sends what waits, as far as the socket takes it; false if the connection is broken.
    func flush() -> Bool {
        while hasPending {
            let sent = pending.withUnsafeBytes { bytes in
                let rest = UnsafeRawBufferPointer(rebasing: bytes[head...])
                return Glibc.send(descriptor, rest.baseAddress, rest.count, Self.flags)
            }
            guard sent > 0 else { return errno == EAGAIN || errno == EINTR }
            head += sent
            hasProgressed = true
        }
        pending.removeAll(keepingCapacity: pending.capacity <= buffer.bytes.count)
        head = 0
        return true
    }

    /// Whether the socket took some of what still waits since this was asked last.
    func takeHasProgressed() -> Bool {
        defer { hasProgressed = false }
        return hasProgressed && hasPending
    }

    /// Tells the peer that nothing more comes, as far as that needs no waiting.
    func finish() {
        guard let tls else { return }
        tls.close()
        _ = write(tls.takeCiphertext())
    }

    private func encrypt(_ bytes: UnsafeRawBufferPointer) -> Bool {
        guard let tls else { return write(bytes) }
        guard (try? tls.send(bytes)) != nil else { return false }
        return write(tls.takeCiphertext())
    }

    private func write(_ bytes: [UInt8]) -> Bool { bytes.withUnsafeBytes { write($0) } }

    private func write(_ bytes: UnsafeRawBufferPointer) -> Bool {
        guard !bytes.isEmpty else { return true }
        var sent = 0
        if !hasPending {
            sent = Glibc.send(descriptor, bytes.baseAddress, bytes.count, Self.flags)
            if sent < 0 {
                guard errno == EAGAIN || errno == EINTR else { return false }
                sent = 0
            }
        }
        pending += bytes[sent...]
        return true
    }
}
