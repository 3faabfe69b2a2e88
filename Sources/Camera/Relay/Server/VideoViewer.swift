package import CameraProtocols
package import Cameras
import NIOCore
package import Printers

/// A viewer of a camera's pictures, until ``leave()`` or the last reference to it.
///
/// ```swift
/// let viewer = await relayedCameras.view(id, by: feeds)
/// while let event = await viewer.next() { … }
/// ```
package final class VideoViewer: Sendable {
    fileprivate let inbox = VideoInbox()
    private let viewer: CameraViewer
    private let end: @Sendable (VideoInbox) -> Void

    fileprivate init(_ viewer: CameraViewer, end: @escaping @Sendable (VideoInbox) -> Void) {
        (self.viewer, self.end) = (viewer, end)
    }

    deinit { leave() }

    /// The next event, at first those since the last key picture.
    ///
    /// Nil once the viewer has left, its task is cancelled, the printer is removed, or the bridge ends. One task reads at a time.
    package func next() async -> VideoEvent? { await inbox.next() }

    package func leave() {
        inbox.finish()
        viewer.leave()
        end(inbox)
    }
}

extension RelayedCameras {
    /// Lets one more viewer see the pictures of a camera that sends video, as they come.
    package func view(_ id: PrinterID, by feeds: CameraFeeds) async -> VideoViewer {
        let camera = await feeds.view(id)
        let viewer = VideoViewer(camera) { [self] inbox in loop.execute { self.remove(inbox, from: id) } }
        let inbox = viewer.inbox
        loop.execute { self.camera(id).add(inbox) }
        // Ends when the viewer leaves.
        Task {
            for await event in camera.events {
                if case .interruption(let message, let seconds) = event {
                    inbox.append(.interruption(message, retryAfter: seconds))
                }
            }
            inbox.finish()
        }
        return viewer
    }
}
