internal import NIOCore

/// The camera of a small printer (P1, A1): a login of 80 bytes, then pictures with a header of 16 bytes each.
final class JPEGCameraHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    static let interval = TimeAmount.seconds(1)
    private static let loginSize = 80

    private let state: PrinterState
    private var received = ByteBuffer()
    private var next: Scheduled<Void>?
    private var isPlaying = false
    private var count = 0
    private var firstFrame = 0

    init(state: PrinterState) { self.state = state }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !isPlaying else { return }
        received.writeImmutableBuffer(unwrapInboundIn(data))
        guard received.readableBytes >= Self.loginSize else { return }
        let login = received.readBytes(length: Self.loginSize)
        react(to: login ?? [], context)
    }

    /// Also when the channel is closed.
    func handlerRemoved(context: ChannelHandlerContext) {
        next?.cancel()
        isPlaying = false
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        // Viewers that mistrust us or vanish are expected.
        context.close(promise: nil)
    }

    private func react(to login: [UInt8], _ context: ChannelHandlerContext) {
        let settings = state.settings
        switch settings.fault {
        case .hangTLS, .hangOptions, .hangDescribe, .hangSetup, .noMedia: return
        case .garbage: return write((0..<4096).map { _ in UInt8.random(in: 128...255) }, context)
        case .noVideo, .notFound:
            // What newer models answer: a header of another type, eight bytes, and the end.
            write(Self.header(8, type: 0x0003_013f) + [UInt8](repeating: 0, count: 8), context)
            return context.close(promise: nil)
        default: break
        }
        guard settings.fault != .unauthorized, settings.fault != .busy, login == Self.login(settings) else {
            return context.close(promise: nil)
        }
        isPlaying = true
        firstFrame = Int(state.seconds * 1e9) / Int(Self.interval.nanoseconds)
        tick(context)
    }

    private func tick(_ context: ChannelHandlerContext) {
        guard isPlaying else { return }
        let fault = state.settings.fault
        if !(fault == .mediaStops && count > 2), context.channel.isWritable {
            count += 1
            let picture = JPEGStamp.embedded.picture(state.stamp(firstFrame + count - 1))
            // A camera that has no key frame to offer: the picture never comes to its end.
            let isWhole = fault != .noKeyFrame
            write(Self.header(picture.count, type: 0) + picture.prefix(isWhole ? picture.count : 100), context)
            if !isWhole { return }
        }
        next = context.eventLoop.assumeIsolated().scheduleTask(in: Self.interval) { self.tick(context) }
    }

    private func write(_ bytes: [UInt8], _ context: ChannelHandlerContext) {
        context.writeAndFlush(wrapOutboundOut(context.channel.allocator.buffer(bytes: bytes)), promise: nil)
    }

    private static func header(_ length: Int, type: UInt32) -> [UInt8] {
        [UInt32(length), type, 1, 0].flatMap(littleEndian)
    }

    private static func login(_ settings: SimulatedPrinterConfiguration) -> [UInt8] {
        [0x40, 0x3000, 0, 0].flatMap(littleEndian) + field(settings.user) + field(settings.accessCode)
    }

    private static func field(_ text: String) -> [UInt8] {
        Array(text.utf8.prefix(32)) + [UInt8](repeating: 0, count: max(0, 32 - text.utf8.count))
    }

    private static func littleEndian(_ number: UInt32) -> [UInt8] {
        (0..<4).map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) }
    }
}
