package import CameraProtocols

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
                let elapsed = ticks(picture.receivedAt) - ticks(former.receivedAt)
                let isBelieved = step > 0 && abs(step - elapsed) < Int64(longestStep * Double(Movie.timescale))
                time += isBelieved ? step : max(1, elapsed)
            }
            former = picture
            samples.append(Movie.Sample(picture, at: time))
        }
        return samples
    }

    /// A time of receipt in ticks: the steps between such whole numbers add up without an error.
    private static func ticks(_ time: Double) -> Int64 { Int64((time * Double(Movie.timescale)).rounded()) }

    /// JPEG pictures as a movie, which ffmpeg makes a film of; the last one is shown for a second.
    package static func movie(ofJPEG pictures: [VideoPicture]) -> [[UInt8]] {
        guard var last = pictures.last else { return [] }
        // ffmpeg shows the last picture for no time at all, unless it comes twice.
        last.receivedAt += 1
        let shown = pictures + [last]
        return [Movie.head(nil, of: samples(shown))] + shown.map(\.bytes)
    }
}
