import CameraProtocols
import DequeModule

/// The events that a viewer has not read yet: a value.
///
/// It is bounded: a slow reader loses pictures up to the next key picture.
struct VideoQueue: Sendable {
    /// Bytes of live pictures that may be unread.
    static let limit = 4 << 20

    /// With the bytes that each counts for; the oldest first.
    private var unread: Deque<(event: VideoEvent, cost: Int)> = []
    private var bytes = 0
    private var awaitsKey = false

    /// Adds what there is of a stream when a viewer comes; it does not count.
    mutating func begin(_ events: [VideoEvent]) {
        unread += events.map { ($0, 0) }
        awaitsKey = !events.contains(where: \.isPicture)
    }

    mutating func append(_ event: VideoEvent) {
        var cost = 0
        switch event {
        case .picture(let picture):
            cost = picture.memory
            if awaitsKey, !picture.isKey { return }
            awaitsKey = bytes + cost > Self.limit
            if awaitsKey { return }
        case .configuration, .interruption:
            // Of several such events without a picture between them, only the newest counts.
            if let last = unread.last, !last.event.isPicture { unread.removeLast() }
        }
        bytes += cost
        unread.append((event, cost))
    }

    mutating func next() -> VideoEvent? {
        guard let (event, cost) = unread.popFirst() else { return nil }
        bytes -= cost
        return event
    }
}

extension VideoEvent {
    fileprivate var isPicture: Bool { if case .picture = self { true } else { false } }
}
