import Bridge
import Foundation
import Logging
import NIOCore
import NIOPosix
import ServiceLifecycle
import StoredSettings

/// Answers commands of this machine on a Unix socket in the runtime folder, which only the bridge's user and root may enter.
///
/// Commands need no broker then: their own connection could end the bridge's, where the broker gives all clients of a user one
/// client id. A client sends one line, ``RunningBridge/statusLine`` or the verb of a request and its payload; the bridge sends
/// one JSON document, and closes.
struct BridgeSocket: Service {
    /// The longest line, in bytes, and how long it may take to arrive.
    private static let limit = 4_096
    private static let deadline = TimeAmount.seconds(10)

    /// The socket of the bridge on a state folder; nil if this user has no runtime folder.
    ///
    /// In the state folder its path could be too long, or its file system could have no sockets. unix(7) allows 107 bytes.
    static func path(of state: StateDirectory) -> String? {
        let folder = URL(fileURLWithPath: state.path).standardizedFileURL.path
        return RuntimeDirectory.path(beside: state).map { "\($0)/\(String(stableHash(folder) >> 32, radix: 16)).sock" }
    }

    let path: String?
    let topics: Topics
    let access: BridgeAccess
    let logger: Logger

    /// Serves until it is shut down; without a socket, commands do not know how the bridge does.
    func run() async throws {
        guard let path else { return try await gracefulShutdown() }
        let server: any Channel
        do {
            server = try await ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup)
                .childChannelInitializer { channel in
                    channel.eventLoop.scheduleTask(in: Self.deadline) { channel.close(promise: nil) }
                    return channel.eventLoop.makeCompletedFuture {
                        try channel.pipeline.syncOperations.addHandler(
                            LineHandler(limit: Self.limit, answer: answer(to:))
                        )
                    }
                }
                .bind(unixDomainSocketPath: path, cleanupExistingSocketFile: true).get()
        } catch {
            logger.warning("Commands cannot ask this bridge", metadata: ["path": "\(path)", "error": "\(error)"])
            return try await gracefulShutdown()
        }
        try? await gracefulShutdown()
        try? await server.close()
        unlink(path)
    }

    @Sendable private func answer(to line: String) async -> SettingValue {
        if line == RunningBridge.statusLine { return await status }
        let words = line.split(separator: " ", maxSplits: 1)
        let result = await access.perform(
            String(words.first ?? ""),
            payload: Array((words.dropFirst().first ?? "").utf8)
        )
        switch result {
        case .success(let data): return ["data": data]
        case .failure(let failure): return ["errors": .array(failure.faults.map(\.document))]
        }
    }

    /// What the bridge publishes on some topics, by topic; it is online if this bridge has its connection.
    private var status: SettingValue {
        get async {
            var payloads: [String: SettingValue] = [
                topics.bridgeAvailability: .string(await access.isConnected ? "online" : "offline"),
                topics.bridgeInfo: .object(["warnings": await access.info.warnings.document]),
            ]
            for printer in access.printers {
                payloads[topics.stream(printer.id)] = streamDocument(of: printer, viewers: access.viewerAddresses)
            }
            return .object([
                "broker": .string(await access.info.broker),
                "topics": .object(payloads),
                "discovery_has_readers": await access.discoveryHasReaders.map(SettingValue.bool) ?? .null,
            ])
        }
    }
}

/// Reads one line, sends the answer to it, and closes.
///
/// Not an `NIOAsyncChannel`: one that is accepted while the service ends, and so is never used, would end the process.
private final class LineHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private let limit: Int
    private let answer: @Sendable (String) async -> SettingValue
    private var line = ByteBuffer()
    private var isComplete = false

    init(limit: Int, answer: @escaping @Sendable (String) async -> SettingValue) {
        (self.limit, self.answer) = (limit, answer)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !isComplete else { return }
        line.writeImmutableBuffer(unwrapInboundIn(data))
        guard line.readableBytes <= limit else { return context.close(promise: nil) }
        guard let end = line.readableBytesView.firstIndex(of: UInt8(ascii: "\n")) else { return }
        isComplete = true
        let text = String(decoding: line.readableBytesView[..<end], as: UTF8.self)
        let (answer, channel) = (answer, context.channel)
        Task {
            try? await channel.writeAndFlush(ByteBuffer(string: await answer(text).json()))
            channel.close(promise: nil)
        }
    }
}
