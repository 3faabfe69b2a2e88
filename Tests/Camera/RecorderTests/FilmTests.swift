import Foundation
import Pictures
import TestSupport
import Testing
import Video

@testable import Recorder

/// A still picture of a colour, made by ffmpeg in a format.
func stillFile(_ color: String, _ format: String, in directory: TemporaryDirectory) async throws -> [UInt8] {
    let file = directory.file("\(color).\(format)")
    let source = "color=\(color):size=320x180"
    let arguments = ["-v", "error", "-f", "lavfi", "-i", source, "-frames:v", "1", "-f", format, file.path]
    let process = try ChildProcess("ffmpeg", arguments, log: directory.file("log"))
    guard await process.exitStatus() == 0 else { throw TestFailure(process.output) }
    return Array(try Data(contentsOf: file))
}

@Suite("Films of JPEG pictures", .timeLimit(.minutes(3)))
struct FilmTests {
    @Test func `have every picture at its time, across a gap, and the last one for a second`() async throws {
        let directory = try TemporaryDirectory()
        let colors = [
            try await stillFile("red", "mjpeg", in: directory), try await stillFile("blue", "mjpeg", in: directory),
        ]
        let times = [0, 0.7, 1.5, 16.25, 17]
        let pictures = times.enumerated().map { index, time in
            VideoPicture(isKey: true, timestamp: 0, receivedAt: 500 + time, bytes: colors[index % 2])
        }
        let film = try await PictureMaker.installed.film(of: PictureTrack.matroska(pictures))
        let file = directory.file("film.mp4")
        try Data(film).write(to: file)
        let arguments = ["-v", "error", "-of", "csv=p=0", "-show_entries", "packet=pts_time", file.path]
        let probe = try ChildProcess("ffprobe", arguments, log: directory.file("log"))
        guard await probe.exitStatus() == 0 else { throw TestFailure(probe.output) }
        let found = probe.output.split(separator: "\n").compactMap { Double($0.split(separator: ",")[0]) }
        #expect(found.count == 6)
        for (time, expected) in zip(found.sorted(), times + [18]) { #expect(abs(time - expected) < 0.002) }
    }

    @Test func `of video follow the camera's clock, and the times of receipt where it begins anew`() {
        let ticks: [(Int64, Double)] = [(100, 10), (3_100, 10.1), (6_100, 10.2), (50, 40.2), (3_050, 40.3)]
        let pictures = ticks.map { VideoPicture(isKey: false, timestamp: $0.0, receivedAt: $0.1, bytes: [1]) }
        let times = PictureTrack.samples(pictures).map(\.timestamp)
        #expect(times == [0, 3_000, 6_000, 6_000 + 2_700_000, 9_000 + 2_700_000])
    }
}
