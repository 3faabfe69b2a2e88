import JSON
internal import NIOCore
import Platform
internal import Synchronization

final class ReportsHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private let serial: String
    private let state: ReportsState
    private var received = ByteBuffer()
    private var isAccepted = false

    init(serial: String, state: ReportsState) { (self.serial, self.state) = (serial, state) }

    func channelActive(context: ChannelHandlerContext) {
        let channel = context.channel
        state.content.withLock { $0.channels[ObjectIdentifier(channel)] = channel }
        context.fireChannelActive()
    }

    func channelInactive(context: ChannelHandlerContext) {
        let id = ObjectIdentifier(context.channel)
        state.content.withLock { content in
            content.channels[id] = nil
            content.readers[id] = nil
            if isAccepted { content.counts.open -= 1 }
        }
        context.fireChannelInactive()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        received.writeImmutableBuffer(unwrapInboundIn(data))
        do {
            while let packet = try MQTTPacket.read(&received) { react(to: packet, context) }
        } catch {
            context.close(promise: nil)
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        // Clients that mistrust the certificate or vanish are expected.
        context.close(promise: nil)
    }

    private func react(to packet: MQTTPacket, _ context: ChannelHandlerContext) {
        let behavior = state.content.withLock(\.behavior)
        guard behavior.fault != .hang, !behavior.isDeaf || !isAccepted else { return }
        switch packet {
        case .connect(let level, let user, let password):
            let isKnown = user == "bblp" && password == behavior.accessCode && behavior.fault != .unauthorized
            accept(level == 4, isKnown: isKnown, behavior, context)
        case _ where !isAccepted: context.close(promise: nil)
        case .subscribe(let id, let filters): subscribe(id, filters, context)
        case .unsubscribe(let id):
            let channel = context.channel
            state.content.withLock { $0.readers[ObjectIdentifier(channel)] = nil }
            write([0xB0, 2] + id.bigEndianBytes, context)
        case .publish(let topic, let payload, let id):
            guard topic == "device/\(serial)/request" else { return cutOff(context) }
            if let id { write([0x40, 2] + id.bigEndianBytes, context) }
            for request in Self.requests(in: payload) { answer(request, behavior, context) }
        case .ping: write([0xD0, 0], context)
        case .disconnect:
            state.content.withLock { $0.counts.disconnects += 1 }
            context.close(promise: nil)
        }
    }

    /// The sections of a message on the request topic, with a command each.
    private static func requests(
        in payload: String
    ) -> [(section: String, command: String, sequence: JSONValue)] {
        let sections = (try? JSONValue(json: payload))?.objectValue ?? [:]
        return sections.sorted { $0.key < $1.key }.compactMap { name, section in
            guard let members = section.objectValue else { return nil }
            return (name, members["command"]?.stringValue ?? "", members["sequence_id"] ?? "0")
        }
    }

    private func accept(
        _ isVersion: Bool,
        isKnown: Bool,
        _ behavior: SimulatedReports.Behavior,
        _ context: ChannelHandlerContext
    ) {
        guard isVersion, isKnown else {
            state.content.withLock { $0.counts.refusals += 1 }
            write([0x20, 2, 0, isVersion ? 5 : 1], context)
            return context.close(promise: nil)
        }
        isAccepted = state.content.withLock { content in
            guard behavior.fault != .full, content.counts.open < behavior.places else { return false }
            content.counts.open += 1
            content.counts.connections += 1
            return true
        }
        guard isAccepted else { return context.close(promise: nil) }
        write([0x20, 2, 0, 0], context)
        if behavior.fault == .drop {
            let channel = context.channel
            context.eventLoop.scheduleTask(in: .seconds(20)) { channel.close(promise: nil) }
        }
    }

    private func subscribe(_ id: UInt16, _ filters: [String], _ context: ChannelHandlerContext) {
        guard filters.allSatisfy({ $0.hasPrefix("device/") && $0.hasSuffix("/report") }) else { return cutOff(context) }
        write([0x90, UInt8(2 + filters.count)] + id.bigEndianBytes + filters.map { _ in 0 }, context)
        guard filters.contains("device/\(serial)/report") else { return }
        let channel = context.channel
        state.content.withLock { $0.readers[ObjectIdentifier(channel)] = channel }
    }

    private func cutOff(_ context: ChannelHandlerContext) {
        state.content.withLock { $0.counts.violations += 1 }
        context.close(promise: nil)
    }

    private func answer(
        _ request: (section: String, command: String, sequence: JSONValue),
        _ behavior: SimulatedReports.Behavior,
        _ context: ChannelHandlerContext
    ) {
        let kind = (request.section, request.command)
        let isReport = kind == ("pushing", "pushall") || kind == ("pushing", "start")
        let isVersion = kind == ("info", "get_version")
        state.content.withLock { content in
            if kind == ("pushing", "pushall") { content.counts.reports += 1 }
            if !isReport, !request.command.hasPrefix("get_") { content.counts.commands += 1 }
        }
        guard behavior.fault != .silent else { return }
        context.eventLoop.scheduleTask(in: behavior.fault == .slow ? .seconds(5) : .zero) { [state] in
            if isReport { return state.sayReport() }
            let writer = behavior.writer
            state.say(
                isVersion
                    ? writer?.version(sequence: request.sequence) ?? behavior.version
                    : ReportWriter.refusal(request.section, request.command, sequence: request.sequence)
            )
        }
    }

    private func write(_ bytes: [UInt8], _ context: ChannelHandlerContext) {
        context.writeAndFlush(wrapOutboundOut(ByteBuffer(bytes: bytes)), promise: nil)
    }
}
