import CameraProtocols
import Concurrency
import DequeModule
import Synchronization

/// The events that a viewer has not read yet; another task, or the relay's loop, adds them.
///
/// It is bounded: a slow reader loses pictures up to the next key picture.
final class VideoInbox: Sendable {
    /// Bytes of live pictures that may be unread.
    static let limit = 4 << 20

    private struct Content {
        /// With the bytes that each counts for; the oldest first.
        var unread: Deque<(event: VideoEvent, cost: Int)> = []
        var bytes = 0
        var awaitsKey = false
        var hasEnded = false
    }

    private let content = Mutex(Content())
    private let wakeup = Wakeup()

    /// Adds what there is of a stream when a viewer comes; it does not count.
    func begin(_ events: [VideoEvent]) {
        change { content in
            content.unread += events.map { ($0, 0) }
            content.awaitsKey = !events.contains(where: \.isPicture)
        }
    }

    func append(_ event: VideoEvent) {
        change { content in
            var cost = 0
            switch event {
            case .picture(let picture):
                cost = picture.memory
                if content.awaitsKey, !picture.isKey { return }
                content.awaitsKey = content.bytes + cost > Self.limit
                if content.awaitsKey { return }
            case .configuration, .interruption:
                // Of several such events without a picture between them, only the newest counts.
                if let last = content.unread.last, !last.event.isPicture { content.unread.removeLast() }
            }
            content.bytes += cost
            content.unread.append((event, cost))
        }
    }

    func finish() { change { $0 = Content(hasEnded: true) } }

    func next() async -> VideoEvent? {
        while true {
            let (event, hasEnded): (VideoEvent?, Bool) = content.withLock { content in
                let next = content.unread.popFirst()
                content.bytes -= next?.cost ?? 0
                return (next?.event, content.hasEnded)
            }
            if let event { return event }
            guard !hasEnded, await wakeup.next() else { return nil }
        }
    }

    private func change(_ body: (inout Content) -> Void) {
        content.withLock { if !$0.hasEnded { body(&$0) } }
        wakeup.signal()
    }
}

extension VideoEvent {
    fileprivate var isPicture: Bool { if case .picture = self { true } else { false } }
}
