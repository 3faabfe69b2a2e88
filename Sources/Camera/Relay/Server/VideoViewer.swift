package import CameraProtocols
package import Cameras
import Concurrency
import NIOCore
package import Printers
import Synchronization

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

/// The events of one viewer; another task, or the relay's loop, adds them.
final class VideoInbox: Sendable {
    private let queue = Mutex<VideoQueue?>(VideoQueue())
    private let wakeup = Wakeup()

    func begin(_ events: [VideoEvent]) { change { $0.begin(events) } }

    func append(_ event: VideoEvent) { change { $0.append(event) } }

    func finish() {
        queue.withLock { $0 = nil }
        wakeup.signal()
    }

    func next() async -> VideoEvent? {
        while true {
            let (event, hasEnded) = queue.withLock { ($0?.next(), $0 == nil) }
            if let event { return event }
            guard !hasEnded, await wakeup.next() else { return nil }
        }
    }

    private func change(_ body: (inout VideoQueue) -> Void) {
        queue.withLock { queue in
            // Taken out, so that `body` has the only reference.
            guard var content = queue.take() else { return }
            body(&content)
            queue = content
        }
        wakeup.signal()
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
