import Platform

/// What a simulated camera paints into the lowest row of each picture, so that a test can read which picture it has.
package struct PictureStamp: Sendable, Hashable {
    /// The number of the picture since the camera was switched on.
    package var frame: Int
    /// The layer that is printed then; 0 for none.
    package var layer: Int
    /// Since the printer was switched on.
    package var milliseconds: Int

    private static let weights: [UInt8] = [3, 5, 7, 11, 13, 17, 19, 23, 29]

    /// Ten bytes, of which the last one checks the others.
    package var bytes: [UInt8] {
        let content = [(frame, 3), (layer, 2), (milliseconds, 4)].flatMap { $0.bigEndianBytes.suffix($1) }
        return content + [Self.check(content)]
    }

    private static func check(_ bytes: some Sequence<UInt8>) -> UInt8 {
        zip(bytes, weights).reduce(0x5a) { $0 &+ $1.0 &* $1.1 }
    }
}

extension PictureStamp {
    /// Reads the ten bytes; nil if they are damaged.
    package init?(_ bytes: [UInt8]) {
        guard bytes.count == 10, Self.check(bytes.dropLast()) == bytes[9] else { return nil }
        func number(_ range: Range<Int>) -> Int { Int(bigEndianBytes: bytes[range]) }
        self.init(frame: number(0..<3), layer: number(3..<5), milliseconds: number(5..<9))
    }
}
