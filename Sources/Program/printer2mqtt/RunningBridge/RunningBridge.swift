import Bridge
import JSON
import NIOCore
import NIOPosix

/// What the bridge that runs on this state folder tells, without the broker; see ``BridgeSocket``.
struct RunningBridge: Sendable {
    static let statusLine = "status"

    var broker: String?
    /// What it publishes, by topic: its availability, its warnings, and the streams of its printers.
    var topics: [String: String] = [:]
    /// Whether a client of the broker listens for discovery; nil if that is not known.
    var discoveryHasReaders: Bool?

    /// Asks for the state of the bridge; nil if no bridge answers.
    init?(in app: AppContext, within timeout: Duration = .seconds(5)) async {
        guard let answer = try? await Self.ask(Self.statusLine, in: app, within: timeout) else { return nil }
        for (topic, payload) in answer["topics"]?.objectValue ?? [:] {
            topics[topic] = payload.stringValue ?? payload.json()
        }
        broker = answer["broker"]?.stringValue
        discoveryHasReaders = answer["discovery_has_readers"]?.boolValue
    }

    func isOnline(_ topics: Topics) -> Bool { self.topics[topics.bridgeAvailability] == "online" }

    /// Has the bridge do what a message on `B/bridge/request/<verb>` would do; tells whether it did.
    static func perform(_ verb: String, _ payload: JSONValue, in app: AppContext) async -> Bool {
        let answer = try? await ask("\(verb) \(payload.json())", in: app, within: .seconds(5))
        return answer?["data"] != nil
    }

    private static func ask(
        _ line: String,
        in app: AppContext,
        within timeout: Duration
    ) async throws -> [String: JSONValue]? {
        guard let path = BridgeSocket.path(of: app.state) else { return nil }
        let connection = try await ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .connect(unixDomainSocketPath: path) { channel in
                channel.eventLoop.scheduleTask(in: TimeAmount(timeout)) { channel.close(promise: nil) }
                return channel.eventLoop.makeCompletedFuture {
                    try NIOAsyncChannel<ByteBuffer, ByteBuffer>(wrappingChannelSynchronously: channel)
                }
            }
        return try await connection.executeThenClose { inbound, outbound in
            try await outbound.write(ByteBuffer(string: line + "\n"))
            var answer = ByteBuffer()
            for try await part in inbound { answer.writeImmutableBuffer(part) }
            return try JSONValue(json: answer.readableBytesView, limits: .stored).objectValue
        }
    }
}
