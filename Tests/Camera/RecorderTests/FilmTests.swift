import CameraProtocols
import Pictures
import TestSupport
import Testing

@testable import Recorder

/// A still picture of a colour, made by ffmpeg in a format.
func still(_ color: String, _ format: String = "mjpeg") async throws -> [UInt8] {
    try await encodedPicture(["-f", "lavfi", "-i", "color=\(color):size=320x180", "-f", format])
}

@Suite("Films of JPEG pictures", .timeLimit(.minutes(5)))
struct FilmTests {
    @Test func `Films have every picture at its time, across a gap, and the last one for a second`() async throws {
        let colors = [try await still("red"), try await still("blue")]
        let times = [0, 0.7, 1.5, 16.25, 17]
        let pictures = times.enumerated().map { index, time in
            VideoPicture(isKey: true, timestamp: 0, receivedAt: 500 + time, bytes: colors[index % 2])
        }
        let film = try await PictureMaker.installed.film(of: PictureTrack.movie(ofJPEG: pictures))
        let found = try await ffprobe("packet=pts_time", of: film).compactMap { Double($0.split(separator: ",")[0]) }
        #expect(found.count == 6)
        for (time, expected) in zip(found.sorted(), times + [18]) { #expect(abs(time - expected) < 0.002) }
    }

    @Test func `Films that ffmpeg cannot make are not said to be the camera's fault`() async {
        await #expect(throws: PictureFailure.noFilm) { try await PictureMaker.installed.film(of: [[1]]) }
    }

    @Test func `Films of two minutes keep every time, exact to a tick, however many pictures there are`() {
        var times = [500_000.0]
        while times.count < 4_000 { times.append(times[times.count - 1] + 0.033_337) }
        let pictures = times.map { VideoPicture(isKey: true, timestamp: 0, receivedAt: $0, bytes: [1]) }
        let errors = zip(PictureTrack.samples(pictures), times).map { sample, time in
            abs(Double(sample.timestamp) - (time - times[0]) * 90_000)
        }
        #expect(errors.count == times.count && errors.allSatisfy { $0 <= 1 })
    }

    @Test func `Films of video follow the camera's clock, and the times of receipt where it begins anew`() {
        let ticks: [(Int64, Double)] = [(100, 10), (3_100, 10.1), (6_100, 10.2), (50, 40.2), (3_050, 40.3)]
        let pictures = ticks.map { VideoPicture(isKey: false, timestamp: $0.0, receivedAt: $0.1, bytes: [1]) }
        let times = PictureTrack.samples(pictures).map(\.timestamp)
        #expect(times == [0, 3_000, 6_000, 6_000 + 2_700_000, 9_000 + 2_700_000])
    }
}
