import Foundation
import Pictures
import Recorder
import TestSupport
import Testing

@testable import Bridge
@testable import PrinterSimulator

@Suite("What the recorder makes of its pictures", .timeLimit(.minutes(5)))
struct RecordedClipTests {
    @Test(arguments: [(.jpeg, 1.0), (.rtsps, 1.0 / 15)] as [(SimulatedCamera, Double)])
    func `A clip spans from 120 seconds before an event to 10 after it, exact to one picture`(
        camera: SimulatedCamera,
        period: Double
    ) async throws {
        let (recording, event) = (Recording(), 217.43)
        if camera == .rtsps { recording.configuration = SimulatedFilm.configuration }
        // The clip is cut some time after its end.
        for number in 0..<Int((event + 13) / period) {
            recording.ring.append(SimulatedFilm.picture(number, of: camera, at: Double(number) * period))
        }
        let directory = try TemporaryDirectory()
        let file = directory.file("clip.mp4")
        let parts = try await recording.clip(ofEventAt: event).film(by: .installed)
        try Data(parts.joined()).write(to: file)
        var painted = try await paintedBytes(in: file, isJPEG: camera == .jpeg)
        // ffmpeg ends a film of JPEG pictures with the last one again.
        if camera == .jpeg { painted.removeLast() }
        let stamps = try painted.map { try #require(PictureStamp($0)) }
        let (first, last) = (try #require(stamps.first), try #require(stamps.last))
        #expect(stamps.map(\.frame) == Array(first.frame...last.frame))
        #expect(abs(Double(first.milliseconds) / 1000 - (event - 120)) < period, "\(first)")
        #expect(abs(Double(last.milliseconds) / 1000 - (event + 10)) < period, "\(last)")
    }

    @Test(arguments: [(100.5, 100.0), (180, 100), (230, nil)] as [(Double, Double?)])
    func `The picture of an event is the last one before it, even if the camera was lost earlier`(
        event: Double,
        found: Double?
    ) {
        let recording = Recording()
        for second in 0...100 {
            recording.ring.append(SimulatedFilm.picture(second, of: .jpeg, at: Double(second)))
        }
        #expect(recording.picture(before: event)?.receivedAt == found)
    }
}
