package import Video

/// Pictures with their times, as a film has them.
package enum PictureTrack {
    /// The longest step, in seconds, in which a camera's clock is believed.
    private static let longestStep = 10.0

    /// What the head of a film of video says about its pictures.
    ///
    /// A camera that connects again begins its times anew; then the times of receipt count.
    package static func samples(_ pictures: some Collection<VideoPicture>) -> [Movie.Sample] {
        var samples: [Movie.Sample] = []
        var former: VideoPicture?
        var time: Int64 = 0
        for picture in pictures {
            if let former {
                let step = picture.timestamp - former.timestamp
                let elapsed = Int64((picture.receivedAt - former.receivedAt) * Double(Movie.timescale))
                let isBelieved = step > 0 && abs(step - elapsed) < Int64(longestStep * Double(Movie.timescale))
                time += isBelieved ? step : max(1, elapsed)
            }
            former = picture
            samples.append(Movie.Sample(size: picture.bytes.count, timestamp: time, isKey: picture.isKey))
        }
        return samples
    }
}

/// JPEG pictures with their times as a Matroska file (RFC 9559), which ffmpeg makes a film of.
extension PictureTrack {
    /// How long the last picture is shown, in milliseconds.
    private static let lastDuration = 1000

    /// The file, in parts; the times count from the first picture.
    package static func matroska(_ pictures: [VideoPicture]) -> FileParts {
        guard let first = pictures.first, let last = pictures.last else { return FileParts([], count: 0) { _ in [] } }
        @Sendable func time(of picture: VideoPicture) -> Int {
            Int(((picture.receivedAt - first.receivedAt) * 1000).rounded())
        }
        // ffmpeg shows the last picture for no time at all, unless it comes twice.
        return FileParts(matroskaHead, count: pictures.count + 1) { index in
            guard index < pictures.count else { return cluster(at: time(of: last) + lastDuration, last.bytes) }
            return cluster(at: time(of: pictures[index]), pictures[index].bytes)
        }
    }

    /// What the file begins with.
    static let matroskaHead: [UInt8] =
        element([0x1a, 0x45, 0xdf, 0xa3], element([0x42, 0x82], Array("matroska".utf8)))
        // The segment's length is not known (RFC 8794, section 6.2).
        + [0x18, 0x53, 0x80, 0x67, 0x01] + Array(repeating: 0xff, count: 7)
        // Times are in milliseconds.
        + element([0x15, 0x49, 0xa9, 0x66], element([0x2a, 0xd7, 0xb1], 1_000_000.bigEndianBytes))
        + element([0x16, 0x54, 0xae, 0x6b], element([0xae], track))

    private static let track: [UInt8] =
        element([0xd7], 1.bigEndianBytes) + element([0x73, 0xc5], 1.bigEndianBytes) + element([0x83], 1.bigEndianBytes)
        + element([0x86], Array("V_MJPEG".utf8))
        // Without a duration for each picture, ffmpeg reads 1,000 pictures a second, and repeats them without end.
        + element([0x23, 0xe3, 0x83], 1_000_000_000.bigEndianBytes)

    /// A picture at a time in milliseconds.
    static func cluster(at time: Int, _ jpeg: [UInt8]) -> [UInt8] {
        // Track 1, at the cluster's time, a key frame.
        let block = [0x81, 0, 0, 0x80] + jpeg
        return element([0x1f, 0x43, 0xb6, 0x75], element([0xe7], time.bigEndianBytes) + element([0xa3], block))
    }

    /// An element with a length of eight bytes (RFC 8794, section 4.4).
    private static func element(_ id: [UInt8], _ content: [UInt8]) -> [UInt8] {
        id + [0x01] + content.count.bigEndianBytes.dropFirst() + content
    }
}
