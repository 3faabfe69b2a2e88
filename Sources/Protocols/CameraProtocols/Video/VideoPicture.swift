/// One picture of a camera's video, as a movie has it.
package struct VideoPicture: Sendable, Hashable {
    /// Whether decoding can begin here.
    package var isKey: Bool
    /// When it is decoded, in ticks of ``Movie/timescale``.
    ///
    /// It grows from picture to picture, also where the camera's own time does not.
    package var timestamp: Int64
    /// Ticks from its decoding, at ``timestamp``, to its presentation; negative for most B pictures.
    package var compositionOffset: Int32 = 0
    /// When its last packet came, in seconds of `MachineClock`.
    package var receivedAt: Double
    /// Its slices, each after its length in four bytes; parameter sets, delimiters and messages are left out.
    package var bytes: [UInt8]

    /// Bytes of memory that it takes, about: a picture costs more than its bytes.
    package var memory: Int { bytes.count + 128 }

    package init(isKey: Bool, timestamp: Int64, receivedAt: Double, bytes: [UInt8]) {
        (self.isKey, self.timestamp, self.receivedAt, self.bytes) = (isKey, timestamp, receivedAt, bytes)
    }
}
