package import Cameras
package import NIOCore
import NIOPosix
import Printers

/// The streams of all cameras that have viewers, on one event loop: their state needs no lock.
package final class RelayedCameras: Sendable {
    package let loop: any EventLoop
    private let cameras: NIOLoopBoundBox<[PrinterID: RelayedCamera]>

    package init(on loop: any EventLoop = MultiThreadedEventLoopGroup.singleton.next()) {
        self.loop = loop
        cameras = .makeBoxSendingValue([:], eventLoop: loop)
    }

    /// Where the bridge's feeds send the video.
    package var sink: StreamSink {
        StreamSink(loop: loop) { part, id in
            self.camera(id).receive(part)
        } end: { id in
            self.camera(id).end()
            self.forgetIdle(id)
        }
    }

    func remove(_ viewer: AnyObject, from id: PrinterID) {
        cameras.value[id]?.remove(viewer)
        forgetIdle(id)
    }

    /// The stream of a camera, made where there is none; it lasts while it has viewers.
    func camera(_ id: PrinterID) -> RelayedCamera {
        if let camera = cameras.value[id] { return camera }
        let camera = RelayedCamera(id.description, on: loop)
        cameras.value[id] = camera
        return camera
    }

    private func forgetIdle(_ id: PrinterID) {
        if cameras.value[id]?.isIdle == true { cameras.value[id] = nil }
    }
}
