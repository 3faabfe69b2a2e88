/// Makes growing times from a stream's 32-bit timestamps: a value.
///
/// Where a camera's timestamps stand still, or jump, the times of receipt count. Where they step back a little, the
/// camera sends pictures in another order than it shows them (B pictures): the time of decoding nearly stands still,
/// and that of presentation is the camera's.
struct PictureClock: Sendable {
    /// How far a timestamp may be ahead of the time of receipt, in ticks.
    private static let slack = Int64(10 * Movie.timescale)
    /// How far a timestamp may be behind those before it: more than any order of pictures needs.
    private static let reordering = Int64(Movie.timescale)

    /// The picture that is shown last so far.
    private var last: (source: UInt32, stamp: UInt32, receivedAt: Double, ticks: Int64)?
    private var newest = Int64.min

    /// When the picture of a packet is decoded, and the ticks from then to its presentation.
    mutating func times(of packet: RTPPacket, at now: Double) -> (decoding: Int64, offset: Int32) {
        let (source, stamp) = (packet.source, packet.timestamp)
        var ticks = Int64(stamp)
        if let last {
            let elapsed = max(1, Int64((now - last.receivedAt) * Double(Movie.timescale)))
            let step = Int64(Int32(bitPattern: stamp &- last.stamp))
            if source == last.source, step < 0, step > -Self.reordering, elapsed < Self.reordering {
                newest += 1
                return (newest, Int32(clamping: last.ticks + step - newest))
            }
            let isPlausible = source == last.source && step > 0 && step <= elapsed + Self.slack
            ticks = last.ticks + (isPlausible ? step : elapsed)
        }
        last = (source, stamp, now, ticks)
        newest = max(newest &+ 1, ticks)
        return (newest, Int32(clamping: ticks - newest))
    }
}
