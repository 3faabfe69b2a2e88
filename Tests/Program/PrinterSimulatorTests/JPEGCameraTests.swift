import Foundation
import NIOCore
import NIOPosix
import OpenSSL
import PrinterSimulator
import TestSupport
import Testing

@Suite("A simulated printer with a JPEG camera")
struct JPEGCameraTests {
    private static let code = "12345678"

    /// What the camera sends until it closes, or until `count` bytes are there.
    private func watch(_ printer: SimulatedPrinter, code: String = code, count: Int) async throws -> [UInt8] {
        final class Collector: ChannelInboundHandler {
            typealias InboundIn = ByteBuffer
            typealias OutboundOut = ByteBuffer
            let count: Int
            let login: [UInt8]
            let done: EventLoopPromise<[UInt8]>
            var bytes: [UInt8] = []

            init(count: Int, login: [UInt8], done: EventLoopPromise<[UInt8]>) {
                (self.count, self.login, self.done) = (count, login, done)
            }

            func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
                if event is TLSHandshakeCompleted {
                    context.writeAndFlush(wrapOutboundOut(ByteBuffer(bytes: login)), promise: nil)
                }
            }

            func channelRead(context: ChannelHandlerContext, data: NIOAny) {
                bytes += unwrapInboundIn(data).readableBytesView
                if bytes.count >= count { context.close(promise: nil) }
            }

            func channelInactive(context: ChannelHandlerContext) { done.succeed(bytes) }
            func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
        }
        func padded(_ text: String) -> [UInt8] { Array(text.utf8) + [UInt8](repeating: 0, count: 32 - text.utf8.count) }
        let login: [UInt8] =
            [0x40, 0, 0, 0, 0, 0x30, 0, 0] + [UInt8](repeating: 0, count: 8) + padded("bblp") + padded(code)
        let done = MultiThreadedEventLoopGroup.singleton.next().makePromise(of: [UInt8].self)
        _ = try await ClientBootstrap(group: done.futureResult.eventLoop)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandlers(
                        TLSHandler(context: .client(trust: .any)),
                        Collector(count: count, login: login, done: done)
                    )
                }
            }
            .connect(host: "127.0.0.1", port: printer.port).get()
        return try await done.futureResult.get()
    }

    private func start(_ fault: SimulatedFault? = nil) async throws -> SimulatedPrinter {
        var configuration = SimulatedPrinterConfiguration(serial: "01P00A000000001", accessCode: Self.code)
        configuration.camera = .jpeg
        configuration.fault = fault
        return try await SimulatedPrinter.start(configuration)
    }

    @Test("sends pictures that ffmpeg decodes, each with its length before it")
    func picture() async throws {
        let printer = try await start()
        let bytes = try await watch(printer, count: 4000)
        let length = Int(bytes[0]) | Int(bytes[1]) << 8 | Int(bytes[2]) << 16
        #expect(bytes[3..<16].elementsEqual([0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0]))
        let directory = try TemporaryDirectory()
        let file = directory.file("picture.jpg")
        try Data(bytes[16..<16 + length]).write(to: file)
        let seen = try await SimulatedPrinterTests.run(
            "ffprobe",
            ["-show_entries", "frame=width,height", "-of", "csv=p=0", file.path]
        )
        #expect(seen.output == "1280,720\n" && seen.status == 0)
        try await eventually("the viewer is gone") { printer.viewerCount == 0 }
        await printer.stop()
    }

    static let endings: [(SimulatedFault?, code: String, sent: Int)] = [
        (nil, "87654321", 0), (.unauthorized, code, 0), (.noVideo, code, 24),
    ]

    @Test("hangs up on a wrong code; what newer models answer is a fault", arguments: endings)
    func refusal(_ fault: SimulatedFault?, _ code: String, _ sent: Int) async throws {
        let printer = try await start(fault)
        #expect(try await watch(printer, code: code, count: 100).count == sent)
        await printer.stop()
    }
}
