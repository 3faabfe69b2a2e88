/// A picture at an eighth of its size: the mean brightness of each block of 8 × 8 pixels.
package struct Thumbnail: Sendable, Hashable {
    package let width: Int
    package let height: Int
    /// From 0 to 255, row by row.
    package let brightness: [UInt8]
    /// The steps of brightness in which the picture was coded.
    package let step: Float

    package init(width: Int, height: Int, brightness: [UInt8], step: Float = 1) {
        precondition(width > 0 && height > 0 && brightness.count == width * height)
        (self.width, self.height, self.brightness, self.step) = (width, height, brightness, step)
    }

    /// The thumbnail of a JPEG file; nil for a file that is not whole, or of a kind that no camera sends.
    package init?(jpeg: [UInt8]) {
        var decoder = ThumbnailDecoder(jpeg)
        guard let thumbnail = decoder.decode() else { return nil }
        self = thumbnail
    }
}

extension Thumbnail {
    /// The greatest mean brightness that an area of a black picture has.
    private static let black = 16
    /// The greatest mean brightness of a dark picture; a lit chamber has more.
    private static let dark = 48

    /// Whether the picture is black in each of 16 × 9 areas.
    package var isBlack: Bool {
        let (across, down) = ((width + 15) / 16, (height + 8) / 9)
        for top in stride(from: 0, to: height, by: down) {
            for left in stride(from: 0, to: width, by: across) {
                let (right, bottom) = (min(left + across, width), min(top + down, height))
                var sum = 0
                for row in top..<bottom {
                    for column in left..<right { sum += Int(brightness[row * width + column]) }
                }
                if sum > Self.black * (right - left) * (bottom - top) { return false }
            }
        }
        return true
    }

    package var isDark: Bool { brightness.reduce(0) { $0 + Int($1) } <= Self.dark * brightness.count }
}
