package import NIOCore

/// A picture as viewers get it; all of them share its bytes.
package struct CameraFrame: Sendable {
    /// What separates the parts of a stream (RFC 2046, section 5.1.1).
    package static let boundary = "frame"

    /// The picture as a part of a stream, and the boundary after it: browsers show a picture once they have read that.
    package let part: ByteBuffer
    package let jpeg: ByteBuffer
    /// When it came, in seconds of ``Platform/MachineClock``.
    package let receivedAt: Double

    package var bytes: [UInt8] { Array(buffer: jpeg) }

    init(_ bytes: [UInt8], at time: Double) {
        let head = "Content-Type: image/jpeg\r\nContent-Length: \(bytes.count)\r\n\r\n"
        var part = ByteBuffer()
        part.reserveCapacity(head.utf8.count + bytes.count + 16)
        part.writeString(head)
        part.writeBytes(bytes)
        part.writeString("\r\n--\(Self.boundary)\r\n")
        jpeg = part.getSlice(at: head.utf8.count, length: bytes.count) ?? ByteBuffer()
        self.part = part
        receivedAt = time
    }
}

/// A viewer of a camera, until ``leave()`` or the last reference to it.
package final class CameraViewer: Sendable {
    /// The pictures and interruptions of a camera, until its printer is removed or the bridge ends.
    ///
    /// A slow reader misses pictures.
    package let events: AsyncStream<CameraEvent>
    let feed: AsyncStream<CameraEvent>.Continuation

    init() { (events, feed) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1)) }

    deinit { leave() }

    package func leave() { feed.finish() }
}

package enum CameraEvent: Sendable {
    case frame(CameraFrame)
    /// There is no picture now; while there are viewers, the bridge connects again after some seconds.
    case interruption(String, retryAfter: Int)
}
