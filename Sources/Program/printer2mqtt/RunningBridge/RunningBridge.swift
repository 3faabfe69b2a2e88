import Bridge
import Foundation
import JSON
import NIOCore
import NIOPosix

/// What the bridge that runs on this state folder tells, without the broker; see ``BridgeSocket``.
struct RunningBridge: Sendable {
    static let statusLine = "status"
    static let lookVerb = "look"
    /// The longest answer: a picture, or the streams of 10,000 printers.
    private static let limit = 64 << 20

    var broker: String?
    /// The names of its topics: the configuration may have another base topic by now.
    var names: Topics
    /// What it publishes, by topic: availability, warnings; stream, configuration and report link of each printer.
    var topics: [String: JSONValue]
    /// Whether a client of the broker listens for discovery; nil if that is not known.
    var discoveryHasReaders: Bool?

    /// Asks for the state of the bridge; nil if no bridge answers.
    init?(in app: AppContext) async {
        guard let answer = try? await Self.ask(Self.statusLine, in: app) else { return nil }
        topics = answer["topics"]?.objectValue ?? [:]
        broker = answer["broker"]?.stringValue
        names = answer["base_topic"]?.stringValue.map { Topics(base: $0) } ?? app.configuration.topics
        discoveryHasReaders = answer["discovery_has_readers"]?.boolValue
    }

    var isOnline: Bool { topics[names.bridgeAvailability] == "online" }

    /// What it publishes of a printer's stream.
    func stream(_ id: PrinterID) -> [String: JSONValue]? { topics[names.stream(id)]?.objectValue }

    /// Has the bridge look at a camera; calls `tell` with what comes before the answer.
    static func look(
        _ question: CameraQuestion,
        in app: AppContext,
        tell: @Sendable (CameraLook) -> Void
    ) async throws -> CameraLook {
        let line = "\(lookVerb) \(String(decoding: try JSONEncoder().encode(question), as: UTF8.self))"
        let end = ContinuousClock.now + .seconds(30)
        // A bridge that starts has no socket yet.
        while ContinuousClock.now < end, ProcessLock.isHeld(app.state.lockFile) {
            var answer: CameraLook?
            // The camera may take minutes: make sure that the bridge itself does not hang.
            if (try? await ask("health {}", in: app))?["data"] != nil {
                do {
                    try await exchange(line, in: app, within: nil) { part in
                        let look = try JSONDecoder().decode(CameraLook.self, from: Data(part.readableBytesView))
                        if question.waits, case .delay = look { tell(look) } else { answer = look }
                    }
                } catch is IOError {}
            }
            if let answer { return answer }
            try await Task.sleep(for: .milliseconds(200))
        }
        throw CommandFailure(.unavailable, "the bridge does not answer, or has ended: try again, or see its log")
    }

    /// The answer to one line; nil without a bridge.
    static func ask(_ line: String, in app: AppContext) async throws -> [String: JSONValue]? {
        var answer: [String: JSONValue]?
        try await exchange(line, in: app, within: .seconds(5)) { part in
            answer = try JSONValue(json: part.readableBytesView, limits: .stored).objectValue
        }
        return answer
    }

    /// Sends a line, and reads each line that comes until the bridge closes.
    private static func exchange(
        _ line: String,
        in app: AppContext,
        within timeout: Duration?,
        read: (ByteBuffer) throws -> Void
    ) async throws {
        guard let path = BridgeSocket.path(of: app.state) else { return }
        let connection = try await ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .connect(unixDomainSocketPath: path) { channel in
                if let timeout {
                    channel.eventLoop.scheduleTask(in: TimeAmount(timeout)) { channel.close(promise: nil) }
                }
                return channel.eventLoop.makeCompletedFuture {
                    try NIOAsyncChannel<ByteBuffer, ByteBuffer>(wrappingChannelSynchronously: channel)
                }
            }
        try await connection.executeThenClose { inbound, outbound in
            try await outbound.write(ByteBuffer(string: line + "\n"))
            var received = ByteBuffer()
            for try await var part in inbound {
                while let end = part.readableBytesView.firstIndex(of: UInt8(ascii: "\n")) {
                    let rest = part.readSlice(length: end - part.readableBytesView.startIndex)
                    received.writeImmutableBuffer(rest ?? ByteBuffer())
                    part.moveReaderIndex(forwardBy: 1)
                    try read(received)
                    received = ByteBuffer()
                }
                received.writeImmutableBuffer(part)
                guard received.readableBytes <= limit else { return }
            }
        }
    }
}
