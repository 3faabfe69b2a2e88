import Bridge
import Foundation
import JSON
import Logging
import NIOCore
import NIOPosix
import Platform
import ServiceLifecycle
import StoredSettings

/// Answers commands of this machine on a Unix socket in the runtime folder, which only the bridge's user and root may enter.
///
/// So commands need no connection to the broker. Some brokers give all clients of a user one client id: there, a command's
/// connection would end the bridge's. A client sends one line, ``RunningBridge/statusLine``, ``RunningBridge/lookVerb`` with a
/// ``Bridge/CameraQuestion``, or the verb of a request with its payload. The bridge sends JSON, a line for each document, and
/// closes.
struct BridgeSocket: Service {
    /// How long a command may take to read its answer.
    private static let writeDeadline = TimeAmount.seconds(30)

    /// The socket of the bridge on a state folder; nil if this user has no runtime folder.
    static func path(of state: StateDirectory) -> String? { RuntimeDirectory.file("sock", for: state, isSocket: true) }

    let path: String?
    let topics: Topics
    let access: BridgeAccess
    let logger: Logger

    /// Serves until it is shut down; without a socket, commands do not know how the bridge does.
    func run() async throws {
        guard let path else { return try await gracefulShutdown() }
        let (lines, arrived) = AsyncStream.makeStream(of: (text: String, channel: any Channel).self)
        let server: any Channel
        do {
            server = try await ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup)
                .childChannelInitializer { channel in
                    channel.eventLoop.makeCompletedFuture {
                        try channel.pipeline.syncOperations.addHandler(LineHandler(arrived))
                    }
                }
                .bind(unixDomainSocketPath: path, cleanupExistingSocketFile: true).get()
        } catch {
            logger.warning("Commands cannot ask this bridge", metadata: ["path": "\(path)", "error": "\(error)"])
            return try await gracefulShutdown()
        }
        // At the end, connections to cameras that were opened for a command are closed in order.
        await cancelWhenGracefulShutdown {
            await withDiscardingTaskGroup { group in
                for await line in lines { group.addTask { await serve(line.text, line.channel) } }
            }
        }
        try? await server.close()
        unlink(path)
    }

    /// Answers a line, while the command waits for the answer.
    private func serve(_ line: String, _ channel: any Channel) async {
        let answer = Task { await self.answer(to: line, on: channel) }
        channel.closeFuture.whenComplete { _ in answer.cancel() }
        await withTaskCancellationHandler {
            await answer.value
        } onCancel: {
            answer.cancel()
        }
        try? await channel.close()
    }

    private func answer(to line: String, on channel: any Channel) async {
        let words = line.split(separator: " ", maxSplits: 1)
        let (verb, payload) = (String(words.first ?? ""), words.dropFirst().first ?? "")
        let answer: String?
        switch verb {
        case RunningBridge.statusLine: answer = await status.json()
        case RunningBridge.lookVerb: answer = await look(payload) { delay in _ = channel.writeLine(delay) }
        default:
            switch await access.perform(verb, payload: Array(payload.utf8)) {
            case .success(let data): answer = JSONValue.object(["data": data]).json()
            case .failure(let failure):
                answer = JSONValue.object(["errors": .array(failure.faults.map(\.document))]).json()
            }
        }
        if let answer { await write(answer, to: channel) }
    }

    /// Writes an answer, and waits until it is written.
    ///
    /// A command that does not read it is disconnected at the deadline, or when the bridge ends.
    private func write(_ answer: String, to channel: any Channel) async {
        let written = channel.writeLine(answer)
        let deadline = channel.eventLoop.scheduleTask(in: Self.writeDeadline) { channel.close(promise: nil) }
        await withTaskCancellationHandler {
            try? await written.get()
        } onCancel: {
            channel.close(promise: nil)
        }
        deadline.cancel()
    }

    /// Looks at a camera; nil if the question cannot be read.
    private func look(_ question: Substring, tell: @escaping @Sendable (String) -> Void) async -> String? {
        @Sendable func json(_ look: CameraLook) -> String? {
            (try? JSONEncoder().encode(look)).map { String(decoding: $0, as: UTF8.self) }
        }
        guard let question = try? JSONDecoder().decode(CameraQuestion.self, from: Data(question.utf8)) else {
            return nil
        }
        return json(await access.door.look(question) { json($0).map(tell) })
    }

    /// What the bridge publishes, by topic, as far as commands need it; `online` while the bridge has its connection.
    private var status: JSONValue {
        get async {
            var payloads: [String: JSONValue] = [
                topics.bridgeAvailability: .string(await access.isConnected ? "online" : "offline"),
                topics.bridgeInfo: .object(["warnings": await access.info.warnings.document]),
            ]
            for printer in access.printers {
                payloads[topics.stream(printer.id)] = streamDocument(of: printer, viewers: access.viewerAddresses)
                payloads[topics.config(printer.id)] = access.configuration(of: printer)
                payloads[topics.printLink(printer.id)] = linkDocument(of: printer)
            }
            return .object([
                "broker": .string(await access.info.broker),
                "base_topic": .string(topics.base),
                "topics": .object(payloads),
                "discovery_has_readers": access.discoveryHasReaders.map(JSONValue.bool) ?? .null,
            ])
        }
    }
}

extension Channel {
    fileprivate func writeLine(_ text: String) -> EventLoopFuture<Void> {
        writeAndFlush(ByteBuffer(string: text + "\n"))
    }
}

/// Reads one line, and passes it on.
///
/// Not an `NIOAsyncChannel`: if the service ends before it uses an accepted channel, the channel ends the process.
private final class LineHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    /// The longest line, in bytes, and how long it may take to arrive.
    private static let limit = 4_096
    private static let timeout = TimeAmount.seconds(10)

    private let arrived: AsyncStream<(text: String, channel: any Channel)>.Continuation
    private var line = ByteBuffer()
    private var deadline: Scheduled<Void>?
    private var isComplete = false

    init(_ arrived: AsyncStream<(text: String, channel: any Channel)>.Continuation) { self.arrived = arrived }

    func channelActive(context: ChannelHandlerContext) {
        deadline = context.eventLoop.scheduleTask(in: Self.timeout) { [channel = context.channel] in
            channel.close(promise: nil)
        }
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !isComplete else { return }
        line.writeImmutableBuffer(unwrapInboundIn(data))
        guard line.readableBytes <= Self.limit else { return context.close(promise: nil) }
        guard let end = line.readableBytesView.firstIndex(of: UInt8(ascii: "\n")) else { return }
        isComplete = true
        deadline?.cancel()
        arrived.yield((String(decoding: line.readableBytesView[..<end], as: UTF8.self), context.channel))
    }
}
