import JSON
package import NIOCore
internal import NIOPosix
package import OpenSSL
internal import Synchronization

/// A printer's own MQTT that exists in software only: 3.1.1 over TLS 1.2, reports on demand, and no commands.
///
/// As a printer does, it refuses a wrong access code with 5, cuts off a client that subscribes to another topic than a
/// report, and says nothing to one that asks for another printer.
package struct SimulatedReports: Sendable {
    package struct Behavior: Sendable {
        package var accessCode: String
        /// The answer to `pushall` and `start`.
        package var report: String
        /// The answer to `get_version`.
        package var version = #"{"info":{"command":"get_version","module":[{"name":"ota","sw_ver":"01.00.00.00"}]}}"#
        /// How it misbehaves; ``SimulatedReportFault/refuse`` has no effect here.
        package var fault: SimulatedReportFault?
        /// How many clients it has places for; others are closed before they are accepted.
        package var places = Int.max
        /// Whether it answers nothing to a client that it has accepted.
        package var isDeaf = false
        /// Writes the reports of a printer whose state changes, in place of ``report`` and ``version``.
        package var writer: ReportWriter?
        /// When the printer was switched on.
        package var begin = NIODeadline.now()

        package init(accessCode: String, report: String) { (self.accessCode, self.report) = (accessCode, report) }
    }

    package struct Counts: Sendable, Hashable, CustomStringConvertible {
        /// Connections that were accepted.
        package var connections = 0
        package var open = 0
        /// CONNECTs with a wrong access code.
        package var refusals = 0
        /// Clients that sent DISCONNECT.
        package var disconnects = 0
        /// How often the whole report was asked for.
        package var reports = 0
        /// Requests that would control the printer.
        package var commands = 0
        /// Clients that were cut off for a topic that they may not read.
        package var violations = 0

        package init() {}

        package var description: String {
            "\(connections) connections, \(disconnects) DISCONNECTs, \(refusals) refusals, \(reports) pushall, "
                + "\(commands) commands, \(violations) violations"
        }
    }

    package let port: Int
    /// The certificate it shows, whose common name is the serial number.
    package let certificate: SelfSignedCertificate

    /// The pause between two reports of what has changed.
    static let interval = TimeAmount.seconds(2)

    private let listener: any Channel
    private let state: ReportsState

    /// Starts a printer's MQTT on a port, where 0 is any free one; without a certificate it makes one.
    package static func start(
        serial: String,
        _ behavior: Behavior,
        host: String = "127.0.0.1",
        port: Int = 0,
        certificate: SelfSignedCertificate? = nil
    ) async throws -> SimulatedReports {
        let certificate = try certificate ?? .make(commonName: serial)
        let context = try SharedContexts.context(for: certificate, maximumVersion: .tls12)
        let state = ReportsState(serial, behavior)
        let listener = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    let handler = ReportsHandler(serial: serial, state: state)
                    let pipeline = channel.pipeline.syncOperations
                    if state.content.withLock(\.behavior.fault) == .silentToTLS13 {
                        try pipeline.addHandler(TLS13Silence())
                    }
                    try pipeline.addHandlers(TLSHandler(context: context), handler)
                }
            }
            .bind(host: host, port: port).get()
        guard let port = listener.localAddress?.port else { throw ChannelError.unknownLocalAddress }
        if behavior.writer != nil {
            let ticks = listener.eventLoop.scheduleRepeatedTask(initialDelay: interval, delay: interval) { _ in
                state.sayChanges()
            }
            listener.closeFuture.whenComplete { _ in ticks.cancel() }
        }
        return SimulatedReports(port: port, certificate: certificate, listener: listener, state: state)
    }

    var readers: [any Channel] { state.content.withLock { Array($0.readers.values) } }

    package var counts: Counts { state.content.withLock(\.counts) }

    /// Changes what the printer is like, from the next packet on.
    package func update(_ change: (inout Behavior) -> Void) {
        state.content.withLock { change(&$0.behavior) }
    }

    /// Sends a message to all clients that read the reports.
    package func say(_ message: String) { state.say(message) }

    package func disconnectAll() {
        for channel in state.content.withLock({ Array($0.channels.values) }) { channel.close(promise: nil) }
    }

    package func stop() async {
        try? await listener.close()
        disconnectAll()
    }
}

final class ReportsState: Sendable {
    struct Content {
        var behavior: SimulatedReports.Behavior
        var counts = SimulatedReports.Counts()
        var channels: [ObjectIdentifier: any Channel] = [:]
        var readers: [ObjectIdentifier: any Channel] = [:]
        /// What clients know of the report, and the number of the last message.
        var said: [String: JSONValue] = [:]
        var sequence = 2_000
    }

    let content: Mutex<Content>
    private let serial: String
    private let start: NIODeadline

    init(_ serial: String, _ behavior: SimulatedReports.Behavior) {
        (self.serial, start) = (serial, behavior.begin)
        content = Mutex(Content(behavior: behavior))
    }

    /// Sends a message to all readers: all clients get the answer to one.
    func say(_ message: String) {
        let packet = MQTTPacket.message(message, on: "device/\(serial)/report")
        for channel in content.withLock({ Array($0.readers.values) }) { channel.writeAndFlush(packet, promise: nil) }
    }

    func sayReport() {
        say(
            content.withLock { content in
                guard let writer = content.behavior.writer else { return content.behavior.report }
                content.said = writer.fields(at: seconds)
                content.sequence += 1
                return writer.report(content.said, sequence: content.sequence)
            }
        )
    }

    func sayChanges() {
        let delta = content.withLock { content -> String? in
            guard let writer = content.behavior.writer, !content.readers.isEmpty, content.behavior.fault != .silent
            else {
                return nil
            }
            let fields = writer.fields(at: seconds)
            defer { content.said = fields }
            content.sequence += 1
            return writer.delta(content.said, fields, sequence: content.sequence)
        }
        if let delta { say(delta) }
    }

    /// Since the printer was switched on.
    private var seconds: Double { Double((NIODeadline.now() - start).nanoseconds) / 1e9 }
}
