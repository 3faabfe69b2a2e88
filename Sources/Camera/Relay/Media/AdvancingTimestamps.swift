import CameraProtocols

/// Keeps time where a camera's timestamps stand still, as a P2S's may: a value.
///
/// Players show each picture at its timestamp, so they would stand still as well.
struct AdvancingTimestamps: Sendable {
    /// So many repeats mean a standstill; two fields of a picture may share a timestamp.
    private static let limit = 3

    /// The camera's timestamp of the newest picture, and when its first packet came.
    private var last: (timestamp: UInt32, receivedAt: Double)?
    private var repeats = 0
    /// Whether the next slice belongs to a picture that has begun, with a parameter set or a delimiter.
    private var hasPreface = false
    /// What the packets get beyond the camera's timestamps: the time that these stood still, in ticks.
    private var offset: UInt32 = 0

    /// Takes each packet of a stream, and changes its timestamp if necessary.
    mutating func advance(_ packet: inout MediaPacket) {
        let isPreface = packet.content == .preface
        defer { hasPreface = isPreface }
        if packet.content != .picture, !hasPreface {
            repeats = packet.timestamp == last?.timestamp ? repeats + 1 : 0
            if repeats >= Self.limit, let last {
                let elapsed = (packet.receivedAt - last.receivedAt) * Double(Movie.timescale)
                offset &+= UInt32(truncatingIfNeeded: Int64(elapsed))
            }
            last = (packet.timestamp, packet.receivedAt)
        }
        if offset != 0 { packet.timestamp &+= offset }
    }
}
