import Hummingbird
import NIOCore
import Probing
import ServiceLifecycle

/// Pictures of a camera for one viewer, as they come: `multipart/x-mixed-replace`.
struct MJPEGStream: Sendable {
    static let type = "multipart/x-mixed-replace; boundary=\(CameraFrame.boundary)"

    let viewer: CameraViewer
    let first: CameraFrame
    /// Held until the viewer leaves.
    let place: EventStreamLimit.Place
    /// Whether it may still view: its session may end, and its token may be revoked.
    let isAllowed: @Sendable () -> Bool

    func body(of request: Request) -> ResponseBody {
        ResponseBody { writer in
            defer { withExtendedLifetime(place) {} }
            try await writer.write(ByteBuffer(string: "--\(CameraFrame.boundary)\r\n"))
            try await writer.write(first.part)
            try await withGracefulShutdownHandler {
                // Without pictures, no failed write tells that the viewer is gone.
                try await request.body.consumeWithInboundCloseHandler { _ in
                    for await sight in viewer.sights {
                        guard isAllowed() else { break }
                        if case .frame(let frame) = sight { try await writer.write(frame.part) }
                    }
                } onInboundClosed: {
                    viewer.leave()
                }
            } onGracefulShutdown: {
                viewer.leave()
            }
            try await writer.finish(nil)
        }
    }
}
