import NIOCore
import NIOPosix
import Testing

@testable import Announcements

@Suite("Hearing announcements")
struct AnnouncementListenerTests {
    @Test func `Datagrams become announcements with the sender's address, but floods of noise do not`() async throws {
        let listener = try await AnnouncementListener(host: "127.0.0.1", port: 0)
        let sender = try await DatagramBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .bind(host: "127.0.0.1", port: 0).get()
        let target = try SocketAddress(ipAddress: "127.0.0.1", port: listener.port)
        func send(_ bytes: [UInt8]) async throws {
            try await sender.writeAndFlush(AddressedEnvelope(remoteAddress: target, data: ByteBuffer(bytes: bytes)))
        }
        try await send(Array("noise".utf8))
        try await send([UInt8](repeating: 0x41, count: 4000))
        try await send(PrinterAnnouncementTests.notify())
        var heard = listener.announcements.makeAsyncIterator()
        let first = try #require(await heard.next())
        #expect(first.serial == "00M00A000000001" && first.address == "127.0.0.1")
        for _ in 0..<2000 { try await send(PrinterAnnouncementTests.notify()) }
        await listener.stop()
        try await sender.close()
        var count = 0
        while await heard.next() != nil { count += 1 }
        #expect(count <= 64, "what nobody takes is dropped")
    }
}
