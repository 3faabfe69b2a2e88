/// The messages for printers that other members have, kept for the case that such a printer comes here.
///
/// Every member gets every message, and every handled message is in the log of its printer. A message is paired with its
/// entry, whichever of both comes first; what stays without an entry was not handled by anybody. That holds for equal
/// messages too, since each pairs with one entry only. Messages of one printer are handled in their order: what came before a
/// handled one was handled too.
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
        /// Nil once this member has it in hand itself.
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

    /// Takes up a message that has arrived; nil for one that this member handles itself at once.
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

    /// Takes up what the log of a printer says now.
    mutating func take(_ log: CommandLog, of id: PrinterID, at now: ContinuousClock.Instant) {
        var queue = queues[id, default: Queue()]
        let new = log.count - (queue.logged ?? 0)
        defer { queues[id] = queue }
        // The first time, all of it is from before: perhaps the broker sends some of that again.
        if queue.logged != nil, new > log.keys.count {
            // Some of the entries were never seen: better no message twice.
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

    /// Hands over the messages of a printer that nobody has handled, in their order; this member handles them now.
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

    /// Forgets what is too old.
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
