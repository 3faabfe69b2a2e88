import Foundation
import NIOCore
import NIOPosix
import OpenSSL
import PrinterSimulator
import Synchronization
import TestSupport

/// A viewer that asks one thing at a time and tells what it saw.
final class Viewer: Sendable {
    /// What became of a step.
    enum Outcome: Sendable, Hashable {
        case status(Int)
        case silence
        case ended
        case noise
        case refused
        case connected
    }

    let log = ViewerLog()
    private let host: String
    private let port: Int
    private let channel = Mutex<(any Channel)?>(nil)
    private let progress = Mutex((sequence: 0, nonce: "", session: ""))

    init(host: String = "127.0.0.1", port: Int) { (self.host, self.port) = (host, port) }

    /// Connects and shakes hands.
    func connect(expecting expected: Outcome = .connected) async throws -> Outcome {
        let context = try TLSContext.client(trust: .any)
        do {
            let made = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
                .channelInitializer { [log] channel in
                    channel.eventLoop.makeCompletedFuture {
                        try channel.pipeline.syncOperations.addHandlers(TLSHandler(context: context), log)
                    }
                }
                .connect(host: host, port: port).get()
            channel.withLock { $0 = made }
        } catch let error as NIOConnectionError {
            let codes = error.connectionErrors.map { ($0.error as? IOError)?.errnoCode }
            return codes == [ECONNREFUSED] ? .refused : .ended
        } catch {
            return (error as? IOError)?.errnoCode == ECONNREFUSED ? .refused : .ended
        }
        try? await eventually("the handshake", timeout: Self.patience(expected)) {
            log.value.isSecure || log.value.isOver
        }
        return log.value.isSecure ? .connected : log.value.isOver ? .ended : .silence
    }

    /// Sends a request, with credentials once there was a challenge, and waits for the answer.
    func ask(
        _ method: String,
        path: String = "/streaming/live/1",
        code: String,
        headers: [String] = [],
        expecting expected: Outcome = .status(200)
    ) async throws -> Outcome {
        let channel = channel.withLock { $0 }
        guard let channel else { return .ended }
        let url = "rtsps://\(host):\(port)\(path)"
        let progress = progress.withLock {
            $0.sequence += 1
            return $0
        }
        var lines = ["\(method) \(url) RTSP/1.0", "CSeq: \(progress.sequence)"] + headers
        if !progress.nonce.isEmpty {
            let realm = "LIVE555 Streaming Media"
            let who = try Digest.md5.hex(of: "bblp:\(realm):\(code)")
            let what = try Digest.md5.hex(of: "\(method):\(url)")
            let response = try Digest.md5.hex(of: "\(who):\(progress.nonce):\(what)")
            lines.append(
                "Authorization: Digest username=\"bblp\", realm=\"\(realm)\", nonce=\"\(progress.nonce)\", uri=\"\(url)\", "
                    + "response=\"\(response)\""
            )
        }
        if !progress.session.isEmpty { lines.append("Session: \(progress.session)") }
        log.forget()
        channel.writeAndFlush(ByteBuffer(string: lines.joined(separator: "\r\n") + "\r\n\r\n"), promise: nil)
        try? await eventually("an answer", timeout: Self.patience(expected)) {
            log.value.isOver || !log.value.bytes.isEmpty
        }
        return outcome(sequence: progress.sequence)
    }

    func close() async {
        try? await channel.withLock { $0 }?.close()
    }

    /// The last answer's text.
    var answer: String { String(decoding: log.value.bytes, as: UTF8.self) }

    private func outcome(sequence: Int) -> Outcome {
        let seen = log.value
        if seen.bytes.isEmpty { return seen.isOver ? .ended : .silence }
        let text = answer
        guard text.hasPrefix("RTSP/1.0 "), let status = Int(text.dropFirst(9).prefix(3)) else { return .noise }
        guard text.contains("\r\nCSeq: \(sequence)\r\n") else { return .noise }
        progress.withLock {
            if let nonce = Self.between("nonce=\"", "\"", text) { $0.nonce = nonce }
            if let session = Self.between("\r\nSession: ", ";", text) { $0.session = session }
        }
        return .status(status)
    }

    /// Silence is believed soon where it is expected, and only there.
    private static func patience(_ expected: Outcome) -> Duration {
        expected == .silence ? .milliseconds(300) : .seconds(20)
    }

    private static func between(_ start: String, _ end: String, _ text: String) -> String? {
        guard let from = text.range(of: start), let to = text[from.upperBound...].range(of: end) else { return nil }
        return String(text[from.upperBound..<to.lowerBound])
    }
}

/// What arrived.
final class ViewerLog: ChannelInboundHandler, Sendable {
    typealias InboundIn = ByteBuffer

    struct Seen: Sendable {
        var bytes: [UInt8] = []
        var isSecure = false
        var isOver = false
    }

    private let seen = Mutex(Seen())

    var value: Seen { seen.withLock { $0 } }
    func forget() { seen.withLock { $0.bytes = [] } }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let buffer = unwrapInboundIn(data)
        seen.withLock { $0.bytes += buffer.readableBytesView }
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if event is TLSHandshakeCompleted { seen.withLock { $0.isSecure = true } }
    }

    func channelInactive(context: ChannelHandlerContext) { seen.withLock { $0.isOver = true } }
    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
}
