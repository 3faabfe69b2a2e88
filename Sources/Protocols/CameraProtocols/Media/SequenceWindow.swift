/// Tells RTP packets that were repeated from those that came late, by their sequence numbers (RFC 3550, appendix A.1).
struct SequenceWindow: Sendable {
    private static let width = 64

    /// The highest number; its upper 16 bits count how often the numbers began anew.
    private(set) var highest: UInt32 = 0
    private var first: UInt32 = 0
    private var received: UInt32 = 0
    /// A bit for each of the newest numbers that came; the lowest bit is for the highest number.
    private var seen: UInt64 = 0

    /// How many packets are missing.
    var lost: UInt32 { received == 0 ? 0 : UInt32(max(0, Int64(highest) - Int64(first) + 1 - Int64(received))) }

    /// Counts a packet; false if the same one came before.
    ///
    /// A number that is far from the others begins anew, as that of a restarted sender.
    mutating func isNew(_ sequence: UInt16) -> Bool {
        let step = Int(Int16(truncatingIfNeeded: Int(sequence) - Int(truncatingIfNeeded: highest & 0xffff)))
        if received == 0 || abs(step) > 3_000 {
            (highest, first, received, seen) = (UInt32(sequence), UInt32(sequence), 1, 1)
            return true
        }
        if step > 0 {
            highest &+= UInt32(step)
            seen = step < Self.width ? seen << UInt64(step) | 1 : 1
        } else if -step < Self.width {
            let bit: UInt64 = 1 << UInt64(-step)
            guard seen & bit == 0 else { return false }
            seen |= bit
        }
        received &+= 1
        return true
    }
}
