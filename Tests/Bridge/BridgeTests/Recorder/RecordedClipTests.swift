import Foundation
import Pictures
import PrinterReport
import Recorder
import TestSupport
import Testing
import Video

@testable import Bridge
@testable import PrinterSimulator

@Suite("What the recorder makes of its pictures", .timeLimit(.minutes(3)))
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

    @Test(
        arguments: [60.0, 90, 900, 1_200],
        [.p1s, .x1c, .a1] as [SimulatedModel]
    )
    func `A simulated print of any length has pictures of its first layer, last layer and end`(
        duration: Double,
        model: SimulatedModel
    ) throws {
        let print = SimulatedPrint(duration: duration)
        let writer = ReportWriter(model: model, serial: model.serial(1), print: print)
        let family: PrinterFamily = model == .x1c ? .x : model == .p1s ? .p : .a
        var (watch, tracker, ring) = (MomentWatch(family), PrintTracker(), PictureRing())
        var found: [PrintMoment: Double] = [:]
        // A report each two seconds, and a picture in between.
        for second in stride(from: 0.0, to: duration * 1.1, by: 2) {
            var report = Report()
            _ = report.merge(Array(writer.report(writer.fields(at: second), sequence: 1).utf8))
            let time = Date(timeIntervalSince1970: second)
            let events = tracker.follow(report, isWhole: true, on: family, at: time).map(\.kind)
            let progress = PrintProgress(PrintState(report, on: family))
            for choice in watch.follow(progress, events, at: second) {
                found[choice.moment] = ring.last(in: choice.times).map { ring.all[$0].receivedAt }
            }
            ring.append(SimulatedFilm.picture(Int(second), of: .jpeg, at: second + 1))
        }
        #expect(Set(found.keys) == [.firstLayer, .lastLayer, .finished])
        // A report comes up to two seconds after what it tells.
        #expect(found[.firstLayer].map { print.moment(at: $0 - 2).layer } == 1)
        #expect(found[.lastLayer].map { print.moment(at: $0 - 2).layer } == print.layers - 1)
    }
}
