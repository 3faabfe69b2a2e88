import CameraProtocols
internal import Foundation
internal import NIOCore
internal import OpenSSL

/// The thin shell around a ``PrinterConversation``: bytes, and the clock of the video.
final class ConnectionHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private let state: PrinterState
    private var parser = RTSPParser()
    private var conversation: PrinterConversation
    private var player: Player?

    init(state: PrinterState, origin: String) {
        self.state = state
        conversation = PrinterConversation(origin: origin) { count in
            // Not a secret worth failing for: the printer is a simulated one.
            (try? SecureRandom.hex(count)) ?? String(UInt64.random(in: .min ... .max), radix: 16)
        }
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        parser.append(unwrapInboundIn(data).readableBytesView)
        do {
            while let message = try parser.next() {
                // The viewer's RTCP is skipped.
                if case .request(let request) = message { answer(request, context) }
            }
        } catch {
            context.close(promise: nil)
        }
    }

    /// Also when the channel is closed.
    func handlerRemoved(context: ChannelHandlerContext) { stopPlaying() }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        // Viewers that mistrust us or vanish are expected.
        context.close(promise: nil)
    }

    private func answer(_ request: RequestMessage, _ context: ChannelHandlerContext) {
        let settings = state.settings
        let date = Self.date()
        let reaction = conversation.handle(request, settings: settings, date: date)
        if let response = reaction.response {
            let bytes =
                settings.fault == .garbage
                ? ByteBuffer(bytes: (0..<4096).map { _ in UInt8.random(in: 0...255) })
                : ByteBuffer(string: response.text(sequence: request.headers.first(name: "CSeq") ?? "0", date: date))
            context.writeAndFlush(wrapOutboundOut(bytes), promise: nil)
        }
        switch reaction.media {
        case .start(let channel) where player == nil:
            player = Player(channel: channel, state)
            tick(context)
        case .start, .unchanged: break
        case .stop: stopPlaying()
        }
    }

    private func stopPlaying() {
        player?.next?.cancel()
        player = nil
    }

    private func tick(_ context: ChannelHandlerContext) {
        guard let player else { return }
        let isWritable = context.channel.isWritable
        if let packets = player.advance(fault: state.settings.fault, isWritable: isWritable) {
            context.writeAndFlush(wrapOutboundOut(packets), promise: nil)
        }
        player.next = context.eventLoop.assumeIsolated().scheduleTask(deadline: player.deadline) { self.tick(context) }
    }

    /// As LIVE555 writes it.
    private static func date() -> String {
        var now = time(nil)
        var parts = tm()
        gmtime_r(&now, &parts)
        var text = [CChar](repeating: 0, count: 64)
        let count = strftime(&text, text.count, "%a, %b %d %Y %H:%M:%S GMT", &parts)
        return String(decoding: text.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
