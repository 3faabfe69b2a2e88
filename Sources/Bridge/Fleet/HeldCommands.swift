/// Keeps the messages for printers of other members, because such a printer may come to this member.
///
/// Every member receives every message. The member that handles a message adds an entry to the log of its printer. Here each
/// message is paired with its entry; the message or the entry may come first. A message without an entry was handled by no
/// member. Each entry is paired with one message, so equal messages are counted. The messages of a printer are handled in
/// order, so all messages before a handled one were handled too.
struct HeldCommands<Message: Sendable>: Sendable {
    /// How long a message, or an entry without its message, is kept: longer than a hand-over takes.
    static var lifetime: Duration { .seconds(60) }
    /// How many messages are kept in all; the oldest go first.
    static var limit: Int { 10_000 }
    /// How many messages of one printer are kept.
    static var printerLimit: Int { 1_000 }
    /// The most bytes of all payloads together.
    static var byteLimit: Int { 64 << 20 }

    private struct Held {
        var key: String
        /// Nil for a message that this member handles itself.
        var message: Message?
        var bytes: Int
        var time: ContinuousClock.Instant
    }

    private struct Queue {
        var held: [Held] = []
        /// Entries whose messages have not come yet.
        var entries: [(key: String, time: ContinuousClock.Instant)] = []
        /// How many were handled in all, as far as it is known here; nil before the log was read.
        var logged: Int?
    }

    private var queues: [PrinterID: Queue] = [:]
    private(set) var count = 0
    private var bytes = 0
    /// How many were given up because there was no room.
    private(set) var dropped = 0

    /// Adds a message that has arrived; nil for one that this member handles itself.
    mutating func hold(
        _ message: Message?,
        key: String,
        bytes size: Int,
        of id: PrinterID,
        at now: ContinuousClock.Instant
    ) {
        var queue = queues[id, default: Queue()]
        if let index = queue.entries.firstIndex(where: { $0.key == key && $0.time + Self.lifetime > now }) {
            queue.entries.removeSubrange(...index)
            forget(&queue, Array(queue.held.indices))
            queues[id] = queue
            return
        }
        queue.held.append(Held(key: key, message: message, bytes: size, time: now))
        count += 1
        bytes += size
        queues[id] = queue
        if queue.held.count > Self.printerLimit { drop(1, of: id) }
        if count > Self.limit || bytes > Self.byteLimit { makeRoom(at: now) }
    }

    /// Removes the messages that have an entry in the log of their printer.
    mutating func take(_ log: CommandLog, of id: PrinterID, at now: ContinuousClock.Instant) {
        var queue = queues[id, default: Queue()]
        let new = log.count - (queue.logged ?? 0)
        defer { queues[id] = queue }
        // When the log is read first, all its entries are older; the broker may send some of those messages again.
        if queue.logged != nil, new > log.keys.count {
            // Some entries were never seen. Rather lose a message than handle one twice.
            forget(&queue, Array(queue.held.indices))
        }
        for key in log.keys.suffix(max(0, new)) {
            if let index = queue.held.firstIndex(where: { $0.key == key }) {
                forget(&queue, Array(0...index))
            } else {
                queue.entries.append((key, now))
            }
        }
        queue.logged = log.count
        queue.entries.removeAll { $0.time + Self.lifetime <= now }
    }

    /// The messages of a printer that no member has handled, in order; this member handles them now.
    mutating func handOver(of id: PrinterID, at now: ContinuousClock.Instant) -> [Message] {
        guard var queue = queues[id] else { return [] }
        var messages: [Message] = []
        for index in queue.held.indices {
            if queue.held[index].time + Self.lifetime > now, let message = queue.held[index].message {
                messages.append(message)
            }
            queue.held[index].message = nil
        }
        queues[id] = queue
        return messages
    }

    /// Holds a message again that this member has begun to handle and could not commit; if it has its entry, nothing happens.
    mutating func takeBack(_ message: Message, key: String, bytes size: Int, of id: PrinterID) {
        guard var queue = queues[id],
            let index = queue.held.firstIndex(where: { $0.key == key && $0.message == nil })
        else { return }
        bytes += size - queue.held[index].bytes
        queue.held[index].message = message
        queue.held[index].bytes = size
        queues[id] = queue
    }

    /// Removes messages and entries that are too old.
    mutating func expire(at now: ContinuousClock.Instant) {
        for (id, var queue) in queues {
            forget(&queue, queue.held.indices.filter { queue.held[$0].time + Self.lifetime <= now })
            queue.entries.removeAll { $0.time + Self.lifetime <= now }
            queues[id] = queue
        }
    }

    private mutating func makeRoom(at now: ContinuousClock.Instant) {
        expire(at: now)
        while count > Self.limit || bytes > Self.byteLimit {
            let oldest = queues.compactMap { id, queue in queue.held.first.map { ($0.time, id) } }.min { $0.0 < $1.0 }
            guard let oldest else { return }
            drop(max(1, Self.printerLimit / 10), of: oldest.1)
        }
    }

    private mutating func drop(_ number: Int, of id: PrinterID) {
        guard var queue = queues[id] else { return }
        let gone = Array(queue.held.indices.prefix(number))
        dropped += gone.count
        forget(&queue, gone)
        queues[id] = queue
    }

    private mutating func forget(_ queue: inout Queue, _ indices: [Int]) {
        for index in indices.reversed() {
            bytes -= queue.held[index].bytes
            count -= 1
            queue.held.remove(at: index)
        }
    }
}
