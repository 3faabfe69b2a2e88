internal import NIOCore
internal import Synchronization

/// One client of a printer's MQTT.
final class ReportsHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private let serial: String
    private let state: ReportsState
    private var received = ByteBuffer()
    private var isAccepted = false

    init(serial: String, state: ReportsState) {
        self.serial = serial
        self.state = state
    }

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
        guard !behavior.isDead else { return }
        switch packet {
        case .connect(let level, let user, let password):
            accept(level == 4, isKnown: user == "bblp" && password == behavior.accessCode, behavior.places, context)
        case _ where !isAccepted: context.close(promise: nil)
        case .subscribe(let id, let filters): subscribe(id, filters, context)
        case .publish(let topic, let payload):
            guard topic == "device/\(serial)/request" else { return cutOff(context) }
            answer(payload, behavior, context)
        case .ping: write([0xD0, 0], context)
        case .disconnect:
            state.content.withLock { $0.counts.disconnects += 1 }
            context.close(promise: nil)
        }
    }

    private func accept(_ isVersion: Bool, isKnown: Bool, _ places: Int, _ context: ChannelHandlerContext) {
        guard isVersion, isKnown else {
            state.content.withLock { $0.counts.refusals += 1 }
            write([0x20, 2, 0, isVersion ? 5 : 1], context)
            return context.close(promise: nil)
        }
        isAccepted = state.content.withLock { content in
            guard content.counts.open < places else { return false }
            content.counts.open += 1
            content.counts.connections += 1
            return true
        }
        if isAccepted { write([0x20, 2, 0, 0], context) } else { context.close(promise: nil) }
    }

    private func subscribe(_ id: UInt16, _ filters: [String], _ context: ChannelHandlerContext) {
        guard filters.allSatisfy({ $0.hasPrefix("device/") && $0.hasSuffix("/report") }) else { return cutOff(context) }
        write([0x90, UInt8(2 + filters.count), UInt8(id >> 8), UInt8(id & 0xFF)] + filters.map { _ in 0 }, context)
        guard filters.contains("device/\(serial)/report") else { return }
        let channel = context.channel
        state.content.withLock { $0.readers[ObjectIdentifier(channel)] = channel }
    }

    private func cutOff(_ context: ChannelHandlerContext) {
        state.content.withLock { $0.counts.violations += 1 }
        context.close(promise: nil)
    }

    private func answer(_ request: String, _ behavior: SimulatedReports.Behavior, _ context: ChannelHandlerContext) {
        let isReport = request.contains(#""command":"pushall""#)
        let isRequest = request.contains(#""pushing":"#) || request.contains(#""command":"get_version""#)
        state.content.withLock { content in
            if isReport { content.counts.reports += 1 }
            if !isRequest { content.counts.commands += 1 }
        }
        guard !behavior.isSilent else { return }
        let refusal = #"{"print":{"result":"failed","reason":"mqtt message verify failed","err_code":84033543}}"#
        let message = !isRequest ? refusal : request.contains("get_version") ? behavior.version : behavior.report
        let packet = MQTTPacket.message(message, on: "device/\(serial)/report")
        context.eventLoop.scheduleTask(in: behavior.delay) { [state] in
            // All clients get the answer to one.
            for channel in state.content.withLock({ Array($0.readers.values) }) {
                channel.writeAndFlush(packet, promise: nil)
            }
        }
    }

    private func write(_ bytes: [UInt8], _ context: ChannelHandlerContext) {
        context.writeAndFlush(wrapOutboundOut(ByteBuffer(bytes: bytes)), promise: nil)
    }
}
