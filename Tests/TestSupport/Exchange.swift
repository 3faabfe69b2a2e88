import NIOCore
import NIOPosix

/// Sends a text to a port of 127.0.0.1, and returns everything that comes until the end, or until `isEnough`.
package func exchange(
    _ text: String,
    with port: Int,
    until isEnough: @Sendable (String) -> Bool = { _ in false }
) async throws -> String {
    let connection = try await ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
        .connect(host: "127.0.0.1", port: port) { channel in
            channel.eventLoop.makeCompletedFuture {
                try NIOAsyncChannel<ByteBuffer, ByteBuffer>(wrappingChannelSynchronously: channel)
            }
        }
    return try await connection.executeThenClose { input, output in
        try await output.write(ByteBuffer(string: text))
        var bytes = ByteBuffer()
        do {
            for try await part in input {
                bytes.writeImmutableBuffer(part)
                if isEnough(String(buffer: bytes)) { break }
            }
        } catch is IOError {
            // The server closes with unread data.
        }
        return String(buffer: bytes)
    }
}
