package import CameraProtocols
package import NIOCore
package import Printers

/// Where the video of cameras that speak RTSP goes, while there are viewers.
package struct StreamSink: Sendable {
    /// Where the cameras' connections run, and both closures are called.
    package var loop: any EventLoop
    package var take: @Sendable (StreamPart, PrinterID) -> Void
    /// The connection is closed; what follows is another stream.
    package var end: @Sendable (PrinterID) -> Void

    package init(
        loop: any EventLoop,
        take: @escaping @Sendable (StreamPart, PrinterID) -> Void,
        end: @escaping @Sendable (PrinterID) -> Void
    ) {
        (self.loop, self.take, self.end) = (loop, take, end)
    }
}
