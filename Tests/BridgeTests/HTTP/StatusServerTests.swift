import Foundation
import NIOCore
import NIOPosix
import Synchronization
import Testing

@testable import Bridge

@Suite("The server of metrics and health", .timeLimit(.minutes(1)))
struct StatusServerTests {
    @Test("Many requests on one connection are one page, and the connection ends with it")
    func pipelined() async throws {
        let pages = Mutex(0)
        let server = try await StatusServer(host: "127.0.0.1", port: 0) { _ in
            pages.withLock { $0 += 1 }
            return StatusPage(status: 200, contentType: "text/plain", body: "page")
        }
        let connection = try await ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .connect(host: "127.0.0.1", port: server.port) { channel in
                channel.eventLoop.makeCompletedFuture {
                    try NIOAsyncChannel<ByteBuffer, ByteBuffer>(wrappingChannelSynchronously: channel)
                }
            }
        let answer = try await connection.executeThenClose { input, output in
            let request = "GET /health HTTP/1.1\r\nHost: h\r\n\r\n"
            try await output.write(ByteBuffer(string: String(repeating: request, count: 100)))
            var answer = ""
            do { for try await bytes in input { answer += String(buffer: bytes) } } catch is IOError {
                // What it has not read makes it reset the connection.
            }
            return answer
        }
        #expect(answer.components(separatedBy: "HTTP/1.1 200").count == 2, "\(answer)")
        #expect(pages.withLock { $0 } == 1)
        await server.stop()
    }
}
