/// An RTP packet in its place.
package struct Arrival: Sendable, Hashable {
    package let packet: RTPPacket
    package fileprivate(set) var receivedAt: Double
    /// Whether packets before it are missing.
    package fileprivate(set) var isAfterGap = false
}

/// Puts packets that a camera swapped in order, and leaves out repeated ones, by their sequence numbers: a value.
package struct PacketOrder: Sendable, Hashable {
    /// How many packets may overtake a packet before it counts as missing.
    static let depth = 16
    /// A number that is farther from the others belongs to a restarted sender (RFC 3550, appendix A.1).
    private static let longestStep = 3_000
    /// Packets in a row that are too late to be repeated ones: their sender began anew.
    private static let longestRepetition = 100

    private var next: UInt16?
    private var source: UInt32?
    private var held: [Arrival] = []
    private var late = 0
    private var latest = -Double.infinity

    package init() {}

    /// Takes a packet; returns those whose turn it is.
    package mutating func add(_ packet: RTPPacket, at time: Double) -> [Arrival] {
        var arrival = Arrival(packet: packet, receivedAt: time)
        let step = next.map { Int(Int16(bitPattern: packet.sequence &- $0)) } ?? .max
        late = step < 0 ? late + 1 : 0
        guard source == packet.source, abs(step) <= Self.longestStep, late <= Self.longestRepetition else {
            arrival.isAfterGap = true
            (source, next, held, late) = (packet.source, packet.sequence &+ 1, [], 0)
            return [released(arrival)]
        }
        guard step >= 0, !held.contains(where: { $0.packet.sequence == packet.sequence }) else { return [] }
        held.append(arrival)
        return turns()
    }

    private mutating func turns() -> [Arrival] {
        var result: [Arrival] = []
        while let first = held.indices.min(by: { distance($0) < distance($1) }) {
            let isAfterGap = distance(first) > 0
            guard !isAfterGap || held.count > Self.depth else { break }
            var arrival = held.remove(at: first)
            arrival.isAfterGap = isAfterGap
            next = arrival.packet.sequence &+ 1
            result.append(released(arrival))
        }
        return result
    }

    /// A packet whose time of receipt is after that of the packet before it, which may have come later.
    private mutating func released(_ arrival: Arrival) -> Arrival {
        var arrival = arrival
        latest = max(arrival.receivedAt, latest.nextUp)
        arrival.receivedAt = latest
        return arrival
    }

    private func distance(_ index: Int) -> UInt16 { held[index].packet.sequence &- (next ?? 0) }
}
