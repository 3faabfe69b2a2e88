import NIOCore
import StoredSettings
import TestSupport
import Testing

@testable import PrinterReport
@testable import PrinterSimulator

@Suite("A connection to a hostile printer", .endsAll, .timeLimit(.minutes(5)))
struct HostileReportTests {
    private let updates = Updates()

    @Test func `A message larger than any report ends the connection long before it has arrived`() async throws {
        try await updates.follow { printer in
            try await eventually("the first report") { updates.last?.state != nil }
            let channel = try #require(printer.readers.first)
            // PUBLISH with a remaining length of 256 MB.
            try await channel.writeAndFlush(ByteBuffer(bytes: [0x30, 0xFF, 0xFF, 0xFF, 0x7F])).get()
            let piece = ByteBuffer(repeating: 0x20, count: 1 << 16)
            var written = 0
            while (try? await channel.writeAndFlush(piece).get()) != nil { written += piece.readableBytes }
            #expect(written < 64 << 20)
            try await eventually("the pause") { updates.problems == [.lost] }
            #expect(updates.last?.state?.values["progress"] == 0 && updates.events.isEmpty)
        }
    }

    @Test func `A connection takes many large reports one after the other`() async throws {
        try await updates.follow { printer in
            try await eventually("the first report") { updates.last?.state != nil }
            let padding = String(repeating: "x", count: 900_000)
            for progress in 1...10 {
                printer.say(#"{"print":{"msg":1,"mc_percent":\#(progress),"pad":"\#(padding)"}}"#)
                try await eventually("the progress") { updates.last?.state?.values["progress"] == .int(progress) }
            }
            #expect(updates.problems.isEmpty)
        }
    }

    /// The bytes of a message, and how long the reader waits before it.
    static let shares: [(Int, Duration)] = [
        (0, .milliseconds(1)), (20_000, .milliseconds(21)), (1 << 20, .microseconds(1_049_576)),
    ]

    @Test(arguments: shares)
    func `A longer message delays the connection's next one more, as printers share the threads`(
        bytes: Int,
        pause: Duration
    ) {
        #expect(PrinterConnection.pause(before: bytes) == pause)
    }
}
